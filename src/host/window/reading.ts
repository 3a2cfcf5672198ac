import { toLoupeError, type LoupeError } from '../../engine/errors.js';

export interface ReadingPorts {
  readonly logError: (error: LoupeError) => void;
  /** Something was read, or could not be. */
  readonly changed: () => void;
}

/** Reads what a view shows. A failure is logged, and kept to be shown until something is read. */
export class Reading {
  readonly #ports: ReadingPorts;
  #last: Promise<void> = Promise.resolve();
  #failed: LoupeError | null = null;

  constructor(ports: ReadingPorts) {
    this.#ports = ports;
  }

  /** Why the last reading failed; null where it did not. */
  get failed(): LoupeError | null {
    return this.#failed;
  }

  /** Resolves once all that waits for its turn is read. */
  get done(): Promise<void> {
    return this.#last;
  }

  /** Reads something after all that waits for its turn. */
  inTurn(read: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => this.now(read));
    return this.#last;
  }

  async now(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.#failed = null;
    } catch (thrown) {
      this.#failed = toLoupeError(thrown);
      this.#ports.logError(this.#failed);
    }
    this.#ports.changed();
  }
}
