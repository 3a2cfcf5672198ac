import { NO_RANK, type RankTable } from './rankTable.js';

/** Maximum length in bytes of a piece for which each step searches all pairs. For longer pieces, a heap is faster. */
const FEW_BYTES = 96;

/** Larger than all positions, so that rank x factor + position is an exact integer (2^18 x 2^32). */
const POSITIONS = 2 ** 32;

/** A rank that means "no pair". It is above all ranks, so that the search for the lowest rank needs no extra check. */
const NO_PAIR = 0x7fff_ffff;

/**
 * Counts the tokens of pieces by the rule of byte pair encoding: of all pairs of neighbours, join the pair whose union
 * has the lowest rank. Of equal ranks, take the leftmost. Stop when no union is a token. Twice the bytes take little
 * more than twice the time.
 */
export class BytePairMerge {
  readonly #ranks: RankTable;
  /** For short pieces: the start of each token, then the end of the last token. */
  readonly #starts = new Int32Array(FEW_BYTES + 1);
  /** For short pieces: the rank of each token's union with the next token. */
  readonly #pairs = new Int32Array(FEW_BYTES + 1);

  constructor(ranks: RankTable) {
    this.#ranks = ranks;
  }

  count(bytes: Uint8Array, from: number, to: number): number {
    return to - from <= FEW_BYTES ? this.#mergeFew(bytes, from, to) : mergeMany(bytes.subarray(from, to), to - from, this.#ranks);
  }

  /** Stores the tokens as a list of start positions, and removes one position for each join. */
  #mergeFew(bytes: Uint8Array, from: number, to: number): number {
    const pairs = this.#pairs;
    let tokens = to - from;
    for (let at = 0; at <= tokens; at += 1) {
      this.#starts[at] = from + at;
    }
    for (let at = 0; at < tokens; at += 1) {
      this.#rankPair(at, tokens, bytes);
    }
    for (let best = lowest(pairs, tokens); pairs[best] !== NO_PAIR; best = lowest(pairs, tokens)) {
      tokens -= 1;
      for (let at = best + 1; at <= tokens; at += 1) {
        this.#starts[at] = this.#starts[at + 1] ?? to;
        pairs[at] = pairs[at + 1] ?? NO_PAIR;
      }
      this.#rankPair(best, tokens, bytes);
      if (best > 0) {
        this.#rankPair(best - 1, tokens, bytes);
      }
    }
    return tokens;
  }

  /** Looks up the rank of the union of token `index` and the next token. The last token has no next token. */
  #rankPair(index: number, tokens: number, bytes: Uint8Array): void {
    const rank = index + 1 < tokens ? this.#ranks.rank(bytes, this.#starts[index] ?? 0, this.#starts[index + 2] ?? 0) : NO_RANK;
    this.#pairs[index] = rank === NO_RANK ? NO_PAIR : rank;
  }
}

function lowest(ranks: Int32Array, count: number): number {
  let best = 0;
  let least = ranks[0] ?? NO_PAIR;
  for (let index = 1; index < count; index += 1) {
    const rank = ranks[index] ?? NO_PAIR;
    if (rank < least) {
      least = rank;
      best = index;
    }
  }
  return best;
}

/** Takes the best pair from a heap. To search all pairs of 100,000 letters without a space would take minutes. */
function mergeMany(bytes: Uint8Array, length: number, ranks: RankTable): number {
  const pairs = new Pairs(bytes, length, ranks);
  let tokens = length;
  while (pairs.joinBest()) {
    tokens -= 1;
  }
  return tokens;
}

/** The tokens of a piece as a linked list of start positions, with a heap of joinable neighbours by rank. */
class Pairs {
  readonly #bytes: Uint8Array;
  readonly #length: number;
  readonly #ranks: RankTable;
  /** By start position: the start of the next token. The end of the bytes is also a start. */
  readonly #next: Int32Array;
  /** By start position: the start of the previous token. */
  readonly #previous: Int32Array;
  /** By start position: the rank of the union with the next token; `NO_RANK` if there is no next token. */
  readonly #rank: Int32Array;
  readonly #heap: Heap;

  constructor(bytes: Uint8Array, length: number, ranks: RankTable) {
    this.#bytes = bytes;
    this.#length = length;
    this.#ranks = ranks;
    this.#next = new Int32Array(length);
    this.#previous = new Int32Array(length);
    this.#rank = new Int32Array(length).fill(NO_RANK);
    this.#heap = new Heap(PUSHES_PER_BYTE * length);
    for (let at = 0; at < length; at += 1) {
      this.#next[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < length - 1; at += 1) {
      this.#look(at);
    }
  }

  /** Joins the best pair. Returns false when no pair can be joined. */
  joinBest(): boolean {
    for (let best = this.#heap.pop(); best !== undefined; best = this.#heap.pop()) {
      const at = best % POSITIONS;
      // If the token of a heap entry was joined, its position now has another rank, and the entry is skipped.
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

/** Maximum pushes to the heap per byte: one at the start, two per join. There are fewer joins than bytes. */
const PUSHES_PER_BYTE = 3;

/** A binary heap of numbers, smallest first. `capacity` is the maximum number of pushes in its lifetime. */
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
