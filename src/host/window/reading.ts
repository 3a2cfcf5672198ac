import { toLoupeError, type LoupeError } from '../../engine/errors.js';

export interface ReadingPorts {
  readonly logError: (error: LoupeError) => void;
  /** Called after each reading, even after a failure. */
  readonly changed: () => void;
}

/** Runs functions that read a view's data, one after another. Logs a failure, and keeps it until a success. */
export class ReadingQueue {
  readonly #ports: ReadingPorts;
  #last: Promise<void> = Promise.resolve();
  #failed: LoupeError | null = null;

  constructor(ports: ReadingPorts) {
    this.#ports = ports;
  }

  /** The error of the last reading. Null after a success. */
  get failed(): LoupeError | null {
    return this.#failed;
  }

  /** Resolves when all queued readings have ended. */
  get done(): Promise<void> {
    return this.#last;
  }

  /** Runs `read` after all queued readings. */
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
