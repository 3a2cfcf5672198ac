import { hashBytes } from './rankTable.js';

/**
 * Limits of the cache: the words of a project and of a conversation, in about 3 MB. A full cache is cleared, and fills
 * again quickly. To evict the least recently used pieces would cost time at every piece. Long pieces rarely occur
 * again, so they are not cached.
 */
const MOST_PIECES = 65_536;
const LONGEST_PIECE = 64;
/** Maximum number of bytes of all pieces together: 16 for each piece. Words of code have 4 to 5 bytes on average. */
const MOST_BYTES = 16 * MOST_PIECES;

/** At most half of the table is in use, so that a lookup needs one or two probes. */
const SLOTS = 2 * MOST_PIECES;

/**
 * A cache of the token counts of UTF-8 pieces. Its keys are ranges of a byte array, for speed. With strings as keys,
 * the lookups take longer than the regular expression that cuts the text into pieces.
 */
export class PieceMemo {
  readonly #count: (bytes: Uint8Array, from: number, to: number) => number;
  /** A hash table with linear probing. A slot has 1 + the number of a piece, or 0 if it is free. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #hashes = new Int32Array(MOST_PIECES);
  readonly #counts = new Int32Array(MOST_PIECES);
  /** The start of each piece in `#bytes`, by piece number, then the end of the last piece. */
  readonly #starts = new Int32Array(MOST_PIECES + 1);
  readonly #bytes = new Uint8Array(MOST_BYTES);
  #size = 0;

  constructor(count: (bytes: Uint8Array, from: number, to: number) => number) {
    this.#count = count;
  }

  get(bytes: Uint8Array, from: number, to: number): number {
    if (to - from > LONGEST_PIECE) {
      return this.#count(bytes, from, to);
    }
    const hash = hashBytes(bytes, from, to) | 0;
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const piece = (this.#slots[slot] ?? 0) - 1;
      if (piece < 0) {
        const count = this.#count(bytes, from, to);
        this.#add(slot, hash, bytes.subarray(from, to), count);
        return count;
      }
      if (this.#hashes[piece] === hash && this.#isPiece(piece, bytes, from, to)) {
        return this.#counts[piece] ?? 0;
      }
    }
  }

  #isPiece(piece: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[piece] ?? 0;
    if ((this.#starts[piece + 1] ?? 0) - start !== to - from) {
      return false;
    }
    const shift = start - from;
    for (let at = from; at < to; at += 1) {
      if (this.#bytes[at + shift] !== bytes[at]) {
        return false;
      }
    }
    return true;
  }

  #add(slot: number, hash: number, piece: Uint8Array, count: number): void {
    const start = this.#starts[this.#size] ?? 0;
    if (this.#size === MOST_PIECES || start + piece.length > MOST_BYTES) {
      this.#slots.fill(0);
      this.#size = 0;
      this.#add(hash & (SLOTS - 1), hash, piece, count);
      return;
    }
    this.#bytes.set(piece, start);
    this.#hashes[this.#size] = hash;
    this.#counts[this.#size] = count;
    this.#size += 1;
    this.#starts[this.#size] = start + piece.length;
    this.#slots[slot] = this.#size;
  }
}
