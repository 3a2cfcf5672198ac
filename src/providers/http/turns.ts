import { setImmediate } from 'node:timers/promises';

/**
 * Maximum time of work without a pause, in ms. A network chunk may hold thousands of events. Awaiting each event does
 * not return to the event loop, so the extension host would hang. Users notice 50 ms, but other work adds to these 10
 * ms.
 */
const LONGEST_WORK_MS = 10;

/** Gives pauses to all replies of a client in turn, so that parallel replies do not add up to a longer stall. */
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
