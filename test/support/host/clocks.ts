import type { Clock } from '../../../src/engine/ports.js';
import { timeLimit } from '../limits.mjs';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that stands still until it is stepped: a step wakes one sleeper, and it is then as late as he wanted. */
export class SteppedClock implements Clock {
  time = 1_700_000_000_000;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.time;
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
      const sleeper = { at: this.time + ms, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
    });
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Wakes the sleeper that is due first; does nothing while nobody sleeps. */
  step(): void {
    const [first] = [...this.#sleepers].sort((a, b) => a.at - b.at);
    this.#wake(first);
  }

  /** Wakes sleeper number `index`, counted round: as if the others were slower. */
  wake(index: number): void {
    const sleepers = [...this.#sleepers];
    this.#wake(sleepers[index % Math.max(1, sleepers.length)]);
  }

  #wake(sleeper: Sleeper | undefined): void {
    if (sleeper !== undefined) {
      this.time = Math.max(this.time, sleeper.at);
      sleeper.wake();
    }
  }
}

/** The same, stepped by itself as soon as everything else had its turn: nobody waits, and order is kept. */
export class RunningClock extends SteppedClock {
  override sleep(ms: number, signal: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    setImmediate(() => {
      this.step();
    });
    return slept;
  }
}

/** Lets everything that can happen without a step of the clock, a disk or a timer happen. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const PATIENCE_MS = timeLimit(10_000);

/** Waits until `condition` holds, stepping nothing. Throws when it does not come true. */
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

/** Steps the clock until `condition` holds. */
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
