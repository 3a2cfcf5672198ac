import { setImmediate } from 'node:timers/promises';

/**
 * Longest work in ms between two turns of the event loop. One chunk of the network may hold thousands of events, and what is
 * awaited for each of them settles without a turn: the extension host would answer nothing meanwhile. Far below the 50 ms that
 * are felt, because what others do in their turn comes on top.
 */
const LONGEST_WORK_MS = 10;

/** The turns that all replies of a client give: each has one of its own, so that many replies at a time are no longer stall. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins some long work. */
  begin(): Work {
    return new Work(() => this.#next());
  }

  #next(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** Gives others their turn in the middle of long work. */
export class Work {
  readonly #next: () => Promise<unknown>;
  #since = performance.now();

  constructor(next: () => Promise<unknown>) {
    this.#next = next;
  }

  /** Whether it is time to `give` a turn. */
  get isDue(): boolean {
    return performance.now() - this.#since > LONGEST_WORK_MS;
  }

  async give(): Promise<void> {
    await this.#next();
    this.#since = performance.now();
  }
}
