import type { Clock } from '../../../src/engine/ports.js';
import { type RunningClock, Sleepers, until } from './clocks.js';

/** Returns the timer of the options, or one whose waits end only when they are aborted. */
export function idleTimerOf({ idleTimer }: { readonly idleTimer?: Pick<Clock, 'sleep'> }): Pick<Clock, 'sleep'> {
  const sleepers = new Sleepers();
  return idleTimer ?? { sleep: (_ms, signal) => sleepers.add(Infinity, signal) };
}

/** Waits of idle chats on a test clock. Time passes only with `pass`. */
export class IdleTimer implements Pick<Clock, 'sleep'> {
  readonly #clock: RunningClock;
  readonly #sleepers = new Sleepers();
  /** Time in ms that waits have seen. A test that sets the clock does not change it, as in a sleeping computer. */
  #passed = 0;
  /** The number of idle chats that all have to wait before time passes. */
  chats = 1;

  constructor(clock: RunningClock) {
    this.#clock = clock;
  }

  /** The number of waits that have not ended. */
  get waits(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#sleepers.add(this.#passed + ms, signal);
  }

  /** Ends one wait after another, each at its time, until `condition` is true. */
  async pass(condition: () => boolean, what: string): Promise<void> {
    while (!condition()) {
      await until(() => condition() || this.#sleepers.size >= this.chats, what);
      if (!condition()) {
        const { first } = this.#sleepers;
        const time = Math.max(0, (first?.at ?? 0) - this.#passed);
        this.#passed += time;
        this.#clock.time += time;
        first?.wake();
      }
    }
  }
}
