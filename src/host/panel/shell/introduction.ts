import type { Memento } from 'vscode';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { Listeners } from '../../../engine/listeners.js';
import { INTRODUCTION_STEPS, type IntroductionStep } from '../../../protocol/panel/view.js';

const MEMORY_KEY = 'introduction';

export interface IntroductionPorts {
  /** VS Code's storage for this installation (global state). */
  readonly memory: Pick<Memento, 'get' | 'update'>;
  /** The setting `loupe.introduction`. */
  readonly isWanted: () => boolean;
  readonly logError: (error: LoupeError) => void;
}

/** The progress of a new user: the first page, then three hints after the first reply, each shown once. */
export class Introduction {
  readonly #ports: IntroductionPorts;
  readonly #listeners = new Listeners<[]>();
  /** Calls a listener after each step. Returns a function that stops listening. */
  readonly onChange = this.#listeners.add;

  constructor(ports: IntroductionPorts) {
    this.#ports = ports;
  }

  /** Returns the current step; null when the introduction is over or switched off. */
  current(): IntroductionStep | null {
    const { memory, isWanted } = this.#ports;
    const remembered = memory.get<unknown>(MEMORY_KEY);
    if (!isWanted() || remembered === 'over') {
      return null;
    }
    // A new installation has no stored step.
    return INTRODUCTION_STEPS.find((step) => step === remembered) ?? 'welcome';
  }

  /** Call this when the user sends a message. The first message starts the hints. */
  messageSent(): void {
    if (this.current() === 'welcome') {
      this.goTo('usage');
    }
  }

  /** Goes to a step. `over` ends the introduction permanently. */
  goTo(step: IntroductionStep | 'over'): void {
    const { memory, logError } = this.#ports;
    memory.update(MEMORY_KEY, step).then(undefined, (thrown: unknown) => {
      // A step that cannot be stored is shown again later, which is harmless.
      logError(toLoupeError(thrown));
    });
    this.#listeners.call();
  }
}
