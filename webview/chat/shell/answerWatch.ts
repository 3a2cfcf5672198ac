import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/**
 * Detects that the host no longer answers. When VS Code restarts its extensions, it keeps the tab but no longer passes
 * on the tab's messages. A working host answers every change of a draft.
 */
export class AnswerWatch {
  readonly #patienceMs: number;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(patienceMs: number, onSilence: () => void) {
    this.#patienceMs = patienceMs;
    this.#onSilence = onSilence;
  }

  posted({ type }: ToHost): void {
    if (type === 'draft' || type === 'send') {
      this.#timer ??= setTimeout(this.#onSilence, this.#patienceMs);
    }
  }

  received(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }
}
