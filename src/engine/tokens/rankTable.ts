/*
 * The ranks of a byte pair encoding as a hash table, laid out at build time and used without parsing. Building a `Map`
 * of 200,000 tokens at start would take a hundred times as long as reading the file.
 *
 * Layout, all numbers little-endian and 32 bits wide:
 *
 *     header   magic, number of ranks, longest token in bytes, slots, bytes of the pattern
 *     starts   by rank, the start of its token in `tokens`, then the end of the last token. No token: 0 bytes
 *     slots    open addressing with linear probing, a power of two: rank + 1, or 0 for a free slot
 *     pattern  the regular expression that splits a text into pieces, UTF-8, padded to a multiple of 4 bytes
 *     tokens   the bytes of all tokens in the order of their ranks
 */

export const RANK_TABLE_MAGIC = 0x3152_4b4c;
export const HEADER_WORDS = 5;
export const WORD = 4;

export const NO_RANK = -1;

/** Returns FNV-1a over `bytes[from, to)`, with mixed bits, because only the low bits choose the slot. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x0100_0193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

export class RankTable {
  /** The regular expression that splits a text into pieces. No token spans two pieces. */
  readonly pattern: string;
  /** Length of the longest token in bytes. */
  readonly longest: number;
  readonly #starts: Uint32Array;
  readonly #slots: Uint32Array;
  readonly #tokens: Uint8Array;
  readonly #mask: number;

  /** Uses `file` without a copy. Its offset in its buffer must be a multiple of 4. Throws for other kinds of files. */
  constructor(file: Uint8Array) {
    const { buffer, byteOffset } = file;
    const header = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
    const [magic, ranks = 0, longest = 0, slots = 0, patternBytes = 0] = header;
    if (magic !== RANK_TABLE_MAGIC) {
      throw new Error('This is no rank table, or one for a machine of another byte order.');
    }
    const startsAt = byteOffset + HEADER_WORDS * WORD;
    const slotsAt = startsAt + (ranks + 1) * WORD;
    const patternAt = slotsAt + slots * WORD;
    const tokensAt = patternAt + Math.ceil(patternBytes / WORD) * WORD;
    this.longest = longest;
    this.#starts = new Uint32Array(buffer, startsAt, ranks + 1);
    this.#slots = new Uint32Array(buffer, slotsAt, slots);
    this.#mask = slots - 1;
    this.pattern = new TextDecoder().decode(new Uint8Array(buffer, patternAt, patternBytes));
    this.#tokens = new Uint8Array(buffer, tokensAt, this.#starts[ranks] ?? 0);
  }

  /** Returns the rank of the token `bytes[from, to)`, or `NO_RANK`. */
  rank(bytes: Uint8Array, from: number, to: number): number {
    if (to - from > this.longest) {
      return NO_RANK;
    }
    for (let slot = hashBytes(bytes, from, to) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const rank = (this.#slots[slot] ?? 0) - 1;
      if (rank === NO_RANK || this.#isToken(rank, bytes, from, to)) {
        return rank;
      }
    }
  }

  #isToken(rank: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[rank] ?? 0;
    if ((this.#starts[rank + 1] ?? 0) - start !== to - from) {
      return false;
    }
    const shift = start - from;
    for (let at = from; at < to; at += 1) {
      if (this.#tokens[at + shift] !== bytes[at]) {
        return false;
      }
    }
    return true;
  }
}
