import { hashBytes } from './rankTable.js';

/**
 * Bounds: the words of a project and of a conversation, in some 3 MB. Beyond it all are forgotten at once, which costs
 * one warming up; finding the ones not used for the longest would cost at every piece. Long pieces are seldom met again.
 */
const MOST_PIECES = 65_536;
const LONGEST_PIECE = 64;
/** Bytes of all pieces together: words of code have 4 to 5 on average. */
const MOST_BYTES = 16 * MOST_PIECES;

/** At most half of the table is in use, so that a look-up probes once or twice. */
const SLOTS = 2 * MOST_PIECES;

/**
 * Remembers what was counted for pieces of UTF-8 text. It is asked for bytes that lie among others: to cut each piece
 * out as a string and look that up in a `Map` takes longer than finding the pieces.
 */
export class PieceMemo {
  readonly #count: (bytes: Uint8Array, from: number, to: number) => number;
  /** A hash table with linear probing: 1 + the number of a piece, or 0 for a free slot. */
  readonly #slots = new Int32Array(SLOTS);
  /** By the number of the piece: its hash, its count, where its bytes begin; and where the next one's will. */
  readonly #hashes = new Int32Array(MOST_PIECES);
  readonly #counts = new Int32Array(MOST_PIECES);
  readonly #starts = new Int32Array(MOST_PIECES + 1);
  readonly #bytes = new Uint8Array(MOST_BYTES);
  #size = 0;

  constructor(count: (bytes: Uint8Array, from: number, to: number) => number) {
    this.#count = count;
  }

  /** What `count` gives for `bytes[from, to)`. */
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

  /** Puts a piece into a free slot that its hash leads to. */
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
