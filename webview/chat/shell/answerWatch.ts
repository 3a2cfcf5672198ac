import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/**
 * Notices that nobody answers: VS Code leaves a tab as it is when it restarts its extensions, and passes nothing on from
 * there. Each key that is typed into a draft is answered.
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
