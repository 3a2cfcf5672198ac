import { setImmediate } from 'node:timers/promises';

/**
 * Longest work in ms between two turns of the event loop. One chunk of the network may hold thousands of events, and what is
 * awaited for each of them settles without a turn: the extension host would answer nobody meanwhile. Far below the 50 ms that
 * are felt, because what others do in their turn comes on top.
 */
const LONGEST_WORK_MS = 10;

/** Gives others their turn in the middle of long work. */
export class Turns {
  /** The turn that was given last, by whichever work: each has one of its own, so that much work at a time is no longer stall. */
  static #last: Promise<unknown> = Promise.resolve();
  #since = performance.now();

  /** Whether it is time to `give` a turn. */
  get isDue(): boolean {
    return performance.now() - this.#since > LONGEST_WORK_MS;
  }

  async give(): Promise<void> {
    Turns.#last = Turns.#last.then(() => setImmediate());
    await Turns.#last;
    this.#since = performance.now();
  }
}
