/** A log-normal distribution, cut off below `least` and above `most`. */
export interface LogNormal {
  readonly median: number;
  readonly sigma: number;
  readonly least: number;
  readonly most: number;
}

/** The sum of so many uniform numbers, less half of that, has a variance of 1 and is normal near enough (Irwin-Hall). */
const UNIFORM_IN_NORMAL = 12;

/** Repeatable random numbers: Mulberry32 by Tommy Ettinger, of the public domain. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** One of the integers from `least` to `most`. */
  integer([least, most]: readonly [number, number]): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer. */
  logNormal({ median, sigma, least, most }: LogNormal): number {
    let sum = 0;
    for (let count = 0; count < UNIFORM_IN_NORMAL; count += 1) {
      sum += this.next();
    }
    return Math.round(Math.min(most, Math.max(least, median * Math.exp(sigma * (sum - UNIFORM_IN_NORMAL / 2)))));
  }
}
