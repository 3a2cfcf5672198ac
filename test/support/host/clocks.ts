import type { Clock } from '../../../src/engine/ports.js';
import { timeLimit } from '../limits.mjs';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Waits on a test clock, in the order of their beginning. Each ends when a test wakes it, or when it is aborted. */
export class Sleepers {
  readonly #all = new Set<Sleeper>();

  get size(): number {
    return this.#all.size;
  }

  get all(): readonly Sleeper[] {
    return [...this.#all];
  }

  /** The sleeper with the earliest time. */
  get first(): Sleeper | undefined {
    return this.all.toSorted((a, b) => a.at - b.at)[0];
  }

  add(at: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#all.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at, wake };
      this.#all.add(sleeper);
      signal.addEventListener('abort', wake);
    });
  }
}

/** Its time moves only in steps. A step wakes one sleeper at the time it asked for. */
export class SteppedClock implements Clock {
  time = 1_700_000_000_000;
  readonly #sleepers = new Sleepers();

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#sleepers.add(this.time + ms, signal);
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  step(): void {
    this.#wake(this.#sleepers.first);
  }

  /** Wakes sleeper `index` (modulo their number), as if the others were slower. */
  wake(index: number): void {
    const { all } = this.#sleepers;
    this.#wake(all[index % Math.max(1, all.length)]);
  }

  #wake(sleeper: Sleeper | undefined): void {
    if (sleeper !== undefined) {
      this.time = Math.max(this.time, sleeper.at);
      sleeper.wake();
    }
  }
}

/** Steps automatically after all other work: nothing waits, and the order is kept. */
export class RunningClock extends SteppedClock {
  override sleep(ms: number, signal: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    setImmediate(() => {
      this.step();
    });
    return slept;
  }
}

/** Runs everything that needs no step of the clock, no disk and no timer. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const PATIENCE_MS = timeLimit(10_000);

/** Waits for `condition` without stepping. Throws when it does not become true. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const start = Date.now();
  while (!condition()) {
    if (Date.now() - start > PATIENCE_MS) {
      throw new Error(`It did not come about: ${what}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
}

export async function stepUntil(clock: SteppedClock, condition: () => boolean, what: string): Promise<void> {
  const start = Date.now();
  while (!condition()) {
    if (Date.now() - start > PATIENCE_MS) {
      throw new Error(`It did not come about: ${what}`);
    }
    clock.step();
    await turn();
  }
}
