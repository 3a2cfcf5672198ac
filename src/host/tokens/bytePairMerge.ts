/**
 * Ranks of a byte pair encoding: token to rank, each token's bytes as the characters 0 to 255 of a string.
 * Every single byte has a rank.
 */
export type Ranks = ReadonlyMap<string, number>;

/** Positions fit below this factor, and rank x factor + position stays an exact integer (2^18 x 2^32). */
const POSITIONS = 2 ** 32;
const NO_PAIR = -1;

/**
 * How many tokens the bytes of one piece become. The rule of byte pair encoding: join the neighbours whose union
 * has the lowest rank, the leftmost of equals, until no union is a token.
 *
 * Each step takes the best pair from a heap instead of looking at all pairs again, and no union longer than
 * `longest` (the longest token) is looked up. So twice the bytes take little more than twice the time, also for
 * 100,000 letters without a space, where the usual loop takes minutes.
 */
export function countMerged(bytes: string, ranks: Ranks, longest: number): number {
  const pairs = new Pairs(bytes, ranks, longest);
  let tokens = bytes.length;
  while (pairs.joinBest()) {
    tokens -= 1;
  }
  return tokens;
}

/** The tokens of a piece as a linked list of their start positions, and the joinable neighbours by rank. */
class Pairs {
  readonly #bytes: string;
  readonly #ranks: Ranks;
  readonly #longest: number;
  /** By start position: start of the token after and before. The end of the bytes counts as a start. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** By start position: rank of the union with the token after; `NO_PAIR` without one. */
  readonly #rank: Int32Array;
  readonly #heap = new Heap();

  constructor(bytes: string, ranks: Ranks, longest: number) {
    this.#bytes = bytes;
    this.#ranks = ranks;
    this.#longest = longest;
    this.#next = Int32Array.from({ length: bytes.length }, (_, at) => at + 1);
    this.#previous = Int32Array.from({ length: bytes.length }, (_, at) => at - 1);
    this.#rank = new Int32Array(bytes.length).fill(NO_PAIR);
    for (let at = 0; at < bytes.length - 1; at += 1) {
      this.#look(at);
    }
  }

  /** Joins the best pair; false when there is none. */
  joinBest(): boolean {
    for (let best = this.#heap.pop(); best !== undefined; best = this.#heap.pop()) {
      const at = best % POSITIONS;
      // An entry is out of date when its token has been joined since: then the rank there is another one.
      if (this.#rank[at] === Math.floor(best / POSITIONS)) {
        this.#join(at);
        return true;
      }
    }
    return false;
  }

  #join(at: number): void {
    const joined = this.#after(at);
    const next = this.#after(joined);
    this.#next[at] = next;
    this.#rank[joined] = NO_PAIR;
    if (next < this.#bytes.length) {
      this.#previous[next] = at;
    }
    this.#look(at);
    const before = this.#previous[at] ?? NO_PAIR;
    if (before >= 0) {
      this.#look(before);
    }
  }

  /** Looks up the pair at `at` again. */
  #look(at: number): void {
    const next = this.#after(at);
    const end = next < this.#bytes.length ? this.#after(next) : Infinity;
    const rank = end - at <= this.#longest ? this.#ranks.get(this.#bytes.slice(at, end)) : undefined;
    this.#rank[at] = rank ?? NO_PAIR;
    if (rank !== undefined) {
      this.#heap.push(rank * POSITIONS + at);
    }
  }

  #after(at: number): number {
    return this.#next[at] ?? this.#bytes.length;
  }
}

/** A binary heap of numbers, the smallest first. */
class Heap {
  readonly #items: number[] = [];

  push(item: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#items[parent] ?? item;
      if (above <= item) {
        break;
      }
      this.#items[at] = above;
      at = parent;
    }
    this.#items[at] = item;
  }

  pop(): number | undefined {
    const smallest = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#sink(last);
    }
    return smallest;
  }

  /** Puts `item` in the place of the smallest. */
  #sink(item: number): void {
    let at = 0;
    for (;;) {
      const left = this.#items[2 * at + 1] ?? Infinity;
      const right = this.#items[2 * at + 2] ?? Infinity;
      const child = Math.min(left, right);
      if (child >= item) {
        break;
      }
      this.#items[at] = child;
      at = 2 * at + (left <= right ? 1 : 2);
    }
    this.#items[at] = item;
  }
}
