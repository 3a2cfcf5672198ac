import { hash } from 'node:crypto';
import type { Clock, GrowingCount, Pause, RandomHex, Sha256, StreamedTokens, TokenCounter } from '../../../src/engine/ports.js';

/** One token per character, so that sums are easy to check. */
export const characters: TokenCounter = {
  id: 'characters',
  count: (text) => text.length,
  countInParts: (text) => [text.length],
  stream: () => new GrowingLength(),
};

class GrowingLength implements GrowingCount {
  #length = 0;

  append(text: string): void {
    this.#length += text.length;
  }

  read(): StreamedTokens {
    return { tokens: this.#length, isExact: true };
  }
}

export const NO_PAUSE: Pause = () => Promise.resolve();

export const sha256: Sha256 = (text) => hash('sha256', text);

/** Counts up: ids are unique and the same in each run. */
export class CountingHex implements RandomHex {
  #count = 0;
  hex(count: number): string {
    this.#count += 1;
    return this.#count.toString(16).padStart(count, '0').slice(-count);
  }
}

/** Its time moves only when the test moves it. */
export class ManualClock implements Clock {
  #now = 1_000_000;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake);
    });
  }

  /** Moves time, and lets everything that waits for it run. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.until <= this.#now) {
        sleeper.wake();
      }
    }
    await settled();
  }
}

/** Resolves when only external events are left to wait for. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
