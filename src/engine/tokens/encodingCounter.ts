import type { TokenCounter } from '../ports.js';
import { BoundedMemo } from './boundedMemo.js';
import { countMerged } from './bytePairMerge.js';
import { NO_RANK, type RankTable } from './rankTable.js';

/**
 * Bounds of the memo of whole texts: a long chat's messages and files (2,000 texts), in at most about 16 MB of memory
 * (8 million characters).
 */
const MEMO_TEXTS = 2_000;
const MEMO_CHARACTERS = 8_000_000;

/**
 * Bounds of the memo of pieces: the words of a project and of a conversation, in some MB. Beyond it all are forgotten
 * at once, which costs one warming up; finding the ones not used for the longest would cost at every piece. Long
 * pieces are seldom met again.
 */
const MEMO_PIECES = 50_000;
const MEMO_PIECE_LENGTH = 40;

/** Bytes that one UTF-16 unit can take in UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * Counts tokens by a tiktoken encoding, exactly as js-tiktoken's `encode(text, [], [])` does: the text of special
 * tokens is ordinary text, a lone surrogate counts as U+FFFD. Linear in the length of the text, whatever it holds.
 */
export class EncodingCounter implements TokenCounter {
  readonly id: string;
  readonly #ranks: RankTable;
  readonly #pieces: RegExp;
  readonly #encoder = new TextEncoder();
  readonly #texts = new BoundedMemo(MEMO_TEXTS, MEMO_CHARACTERS);
  readonly #known = new Map<string, number>();
  #bytes = new Uint8Array(1_024);

  constructor(id: string, ranks: RankTable) {
    this.id = id;
    this.#ranks = ranks;
    this.#pieces = new RegExp(ranks.pattern, 'gu');
  }

  /** A text counted lately costs one look-up. */
  count(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      return known;
    }
    const tokens = this.#countPieces(text);
    this.#texts.set(text, tokens);
    return tokens;
  }

  #countPieces(text: string): number {
    const pieces = this.#pieces;
    let tokens = 0;
    pieces.lastIndex = 0;
    for (let from = 0; pieces.test(text); from = pieces.lastIndex) {
      const piece = text.slice(from, pieces.lastIndex);
      tokens += this.#known.get(piece) ?? this.#countPiece(piece);
    }
    return tokens;
  }

  #countPiece(piece: string): number {
    const length = this.#encode(piece);
    const tokens = this.#ranks.rank(this.#bytes, 0, length) === NO_RANK ? countMerged(this.#bytes, length, this.#ranks) : 1;
    if (piece.length <= MEMO_PIECE_LENGTH) {
      if (this.#known.size >= MEMO_PIECES) {
        this.#known.clear();
      }
      this.#known.set(piece, tokens);
    }
    return tokens;
  }

  /** Puts the UTF-8 form of `piece` into the scratch bytes and gives its length. */
  #encode(piece: string): number {
    if (piece.length * BYTES_PER_UNIT > this.#bytes.length) {
      this.#bytes = new Uint8Array(piece.length * BYTES_PER_UNIT);
    }
    return this.#encoder.encodeInto(piece, this.#bytes).written;
  }
}
