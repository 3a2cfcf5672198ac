import { setImmediate } from 'node:timers/promises';

/**
 * Longest work without a pause, in ms. A network chunk may hold thousands of events, and awaiting each event does not
 * return to the event loop, so the extension host would hang. Far below the noticeable 50 ms, because other work adds
 * up.
 */
const LONGEST_WORK_MS = 10;

/** Pauses for all replies of a client, one reply after the other, so that parallel replies add no longer stalls. */
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

  /** Whether the caller should call `yieldTurn` now. */
  get shouldYield(): boolean {
    return performance.now() - this.#since > LONGEST_WORK_MS;
  }

  async yieldTurn(): Promise<void> {
    await this.#next();
    this.#since = performance.now();
  }
}
