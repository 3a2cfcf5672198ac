import type { Clock } from '../../../src/engine/ports.js';
import { type RunningClock, until } from './clocks.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Returns the timer of the options, or one whose waits end only when they are aborted. */
export function idleTimerOf({ idleTimer }: { readonly idleTimer?: Pick<Clock, 'sleep'> }): Pick<Clock, 'sleep'> {
  const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  return idleTimer ?? { sleep };
}

/** Waits of idle chats on a test clock. Time passes only with `pass`. */
export class IdleTimer implements Pick<Clock, 'sleep'> {
  readonly #clock: RunningClock;
  readonly #sleepers = new Set<Sleeper>();
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
    if (signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: this.#passed + ms, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
    });
  }

  /** Ends one wait after another, each at its time, until `condition` is true. */
  async pass(condition: () => boolean, what: string): Promise<void> {
    while (!condition()) {
      await until(() => condition() || this.#sleepers.size >= this.chats, what);
      if (!condition()) {
        const [first] = [...this.#sleepers].sort((a, b) => a.at - b.at);
        const time = Math.max(0, (first?.at ?? 0) - this.#passed);
        this.#passed += time;
        this.#clock.time += time;
        first?.wake();
      }
    }
  }
}
