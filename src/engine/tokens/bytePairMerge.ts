import { NO_RANK, type RankTable } from './rankTable.js';

/**
 * Bytes up to which the next pair is found by looking at all pairs again: below it that is quicker than a heap, and
 * the square of so few is no cost.
 */
const FEW_BYTES = 96;

/** Positions fit below this factor, and rank x factor + position stays an exact integer (2^18 x 2^32). */
const POSITIONS = 2 ** 32;

/**
 * How many tokens the first `length` bytes become, as one piece. The rule of byte pair encoding: join the neighbours
 * whose union has the lowest rank, the leftmost of equals, until no union is a token. Takes little more than twice
 * the time for twice the bytes.
 */
export function countMerged(bytes: Uint8Array, length: number, ranks: RankTable): number {
  return length <= FEW_BYTES ? mergeFew(bytes, length, ranks) : mergeMany(bytes, length, ranks);
}

/** The tokens as a list of their start positions, closed up after each join. */
function mergeFew(bytes: Uint8Array, length: number, ranks: RankTable): number {
  const starts: number[] = [];
  const rank: number[] = [];
  for (let at = 0; at < length; at += 1) {
    starts.push(at);
    rank.push(at + 1 < length ? ranks.rank(bytes, at, at + 2) : NO_RANK);
  }
  starts.push(length);
  const look = (index: number): number => {
    const end = starts[index + 2];
    return end === undefined ? NO_RANK : ranks.rank(bytes, starts[index] ?? 0, end);
  };
  for (let best = lowest(rank); best !== NO_RANK; best = lowest(rank)) {
    starts.splice(best + 1, 1);
    rank.splice(best + 1, 1);
    rank[best] = look(best);
    if (best > 0) {
      rank[best - 1] = look(best - 1);
    }
  }
  return rank.length;
}

/** The index of the lowest rank, the leftmost of equals; `NO_RANK` when there is none. */
function lowest(ranks: readonly number[]): number {
  let best = NO_RANK;
  let least = Infinity;
  for (let index = 0; index < ranks.length; index += 1) {
    const rank = ranks[index] ?? NO_RANK;
    if (rank !== NO_RANK && rank < least) {
      least = rank;
      best = index;
    }
  }
  return best;
}

/**
 * Each step takes the best pair from a heap instead of looking at all again: 100,000 letters without a space take
 * the usual loop minutes.
 */
function mergeMany(bytes: Uint8Array, length: number, ranks: RankTable): number {
  const pairs = new Pairs(bytes, length, ranks);
  let tokens = length;
  while (pairs.joinBest()) {
    tokens -= 1;
  }
  return tokens;
}

/** The tokens of a piece as a linked list of their start positions, and the joinable neighbours by rank. */
class Pairs {
  readonly #bytes: Uint8Array;
  readonly #length: number;
  readonly #ranks: RankTable;
  /** By start position: start of the token after and before. The end of the bytes counts as a start. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** By start position: rank of the union with the token after; `NO_RANK` without one. */
  readonly #rank: Int32Array;
  readonly #heap: Heap;

  constructor(bytes: Uint8Array, length: number, ranks: RankTable) {
    this.#bytes = bytes;
    this.#length = length;
    this.#ranks = ranks;
    this.#next = Int32Array.from({ length }, (_, at) => at + 1);
    this.#previous = Int32Array.from({ length }, (_, at) => at - 1);
    this.#rank = new Int32Array(length).fill(NO_RANK);
    this.#heap = new Heap(PUSHES_PER_BYTE * length);
    for (let at = 0; at < length - 1; at += 1) {
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
    this.#rank[joined] = NO_RANK;
    if (next < this.#length) {
      this.#previous[next] = at;
    }
    this.#look(at);
    const before = this.#previous[at] ?? -1;
    if (before >= 0) {
      this.#look(before);
    }
  }

  /** Looks up the pair at `at` again. */
  #look(at: number): void {
    const next = this.#after(at);
    const rank = next < this.#length ? this.#ranks.rank(this.#bytes, at, this.#after(next)) : NO_RANK;
    this.#rank[at] = rank;
    if (rank !== NO_RANK) {
      this.#heap.push(rank * POSITIONS + at);
    }
  }

  #after(at: number): number {
    return this.#next[at] ?? this.#length;
  }
}

/** Each byte may begin a pair, and each join, of which there are fewer than bytes, makes at most two new ones. */
const PUSHES_PER_BYTE = 3;

/** A binary heap of numbers, the smallest first, with room for so many pushes in all. */
class Heap {
  readonly #items: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#items = new Float64Array(capacity);
  }

  push(item: number): void {
    let at = this.#size;
    this.#size += 1;
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
    if (this.#size === 0) {
      return undefined;
    }
    const smallest = this.#items[0];
    this.#size -= 1;
    this.#sink(this.#items[this.#size] ?? 0);
    return smallest;
  }

  /** Puts `item` in the place of the smallest. */
  #sink(item: number): void {
    const items = this.#items;
    let at = 0;
    for (let left = 1; left < this.#size; left = 2 * at + 1) {
      const right = left + 1;
      const child = right < this.#size && (items[right] ?? 0) < (items[left] ?? 0) ? right : left;
      const below = items[child] ?? 0;
      if (below >= item) {
        break;
      }
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
