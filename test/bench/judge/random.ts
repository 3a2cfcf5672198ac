/** A log-normal distribution, cut at `least` and `most`. */
export interface LogNormal {
  readonly median: number;
  readonly sigma: number;
  readonly least: number;
  readonly most: number;
}

/** The sum of this many uniform numbers minus half of it has variance 1 and is nearly normal (Irwin-Hall). */
const UNIFORM_IN_NORMAL = 12;

/** Repeatable random numbers: Mulberry32 by Tommy Ettinger (public domain). */
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
