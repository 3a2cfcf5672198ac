import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/**
 * Detects that the host no longer replies. When VS Code restarts its extensions, VS Code keeps the tab, but no longer
 * passes messages from the tab to the host. A working host replies to every change of a draft.
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
