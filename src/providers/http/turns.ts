import { setImmediate } from 'node:timers/promises';

/**
 * Maximum time of work without a pause, in ms. A network chunk may hold thousands of events. Awaiting each event does
 * not return to the event loop, so the extension host would hang. Users notice 50 ms, and other work takes a part of
 * this time.
 */
const LONGEST_WORK_MS = 10;

/** Lets the replies of a client pause one after another, so that at most one reply works between two other tasks. */
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

/** Long work that pauses regularly, so that other work can run. */
export class YieldingWork {
  readonly #next: () => Promise<unknown>;
  #since = performance.now();

  constructor(next: () => Promise<unknown>) {
    this.#next = next;
  }

  /** Whether the work has run too long, so that the caller must call `yieldTurn`. */
  get shouldYield(): boolean {
    return performance.now() - this.#since > LONGEST_WORK_MS;
  }

  async yieldTurn(): Promise<void> {
    await this.#next();
    this.#since = performance.now();
  }
}
