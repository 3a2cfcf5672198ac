import { setImmediate } from 'node:timers/promises';

/**
 * Longest work between two turns of the event loop, in ms. A network chunk may hold thousands of events, and awaiting
 * each of them gives up no turn, so the extension host would hang. Far below the noticeable 50 ms, because other work
 * adds up.
 */
const LONGEST_WORK_MS = 10;

/** Yields turns for all replies of a client, one after the other, so that parallel replies cause no longer stalls. */
export class EventLoopTurns {
  #last: Promise<unknown> = Promise.resolve();

  begin(): YieldingWork {
    return new YieldingWork(() => this.#next());
  }

  #next(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** Long work that yields to other work. */
export class YieldingWork {
  readonly #next: () => Promise<unknown>;
  #since = performance.now();

  constructor(next: () => Promise<unknown>) {
    this.#next = next;
  }

  /** Whether to call `give` now. */
  get shouldYield(): boolean {
    return performance.now() - this.#since > LONGEST_WORK_MS;
  }

  async yieldTurn(): Promise<void> {
    await this.#next();
    this.#since = performance.now();
  }
}
