import type { Memento } from 'vscode';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { INTRODUCTION_STEPS, type IntroductionStep } from '../../../protocol/panel/view.js';

const MEMORY_KEY = 'introduction';

export interface IntroductionPorts {
  /** The memory of this installation. */
  readonly memory: Pick<Memento, 'get' | 'update'>;
  /** The setting `loupe.introduction`. */
  readonly isWanted: () => boolean;
  readonly logError: (error: LoupeError) => void;
}

/** How far a new user has come: the page before the first message, then three hints after the first reply, each shown once. */
export class Introduction {
  readonly #ports: IntroductionPorts;
  readonly #listeners = new Set<() => void>();

  constructor(ports: IntroductionPorts) {
    this.#ports = ports;
  }

  /** Null when it is over, or not wanted. */
  current(): IntroductionStep | null {
    const { memory, isWanted } = this.#ports;
    const remembered = memory.get<unknown>(MEMORY_KEY);
    if (!isWanted() || remembered === 'over') {
      return null;
    }
    // Nothing is remembered in a new installation.
    return INTRODUCTION_STEPS.find((step) => step === remembered) ?? 'welcome';
  }

  /** Calls `listener` after each step. Returns the end of listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The first message ends the page; the hints stand at its reply. */
  messageSent(): void {
    if (this.current() === 'welcome') {
      this.goTo('usage');
    }
  }

  /** `over` ends the introduction for good. */
  goTo(step: IntroductionStep | 'over'): void {
    const { memory, logError } = this.#ports;
    memory.update(MEMORY_KEY, step).then(undefined, (thrown: unknown) => {
      // It is shown once more after the next start: no harm that the user must know of.
      logError(toLoupeError(thrown));
    });
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
