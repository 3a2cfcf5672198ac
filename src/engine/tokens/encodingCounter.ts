import type { GrowingCount, TokenCounter } from '../ports.js';
import { asciiPattern } from './asciiPattern.js';
import { BoundedMemo } from './boundedMemo.js';
import { BytePairMerge } from './bytePairMerge.js';
import { PieceMemo } from './pieceMemo.js';
import { NO_RANK, type RankTable } from './rankTable.js';
import type { CutRule } from './safeCut.js';
import { StreamCount } from './streamCount.js';
import { Utf8Reader } from './utf8Reader.js';

/**
 * Limits of the cache of whole texts: the messages and files of a long chat (2,000 texts), in about 16 MB of memory (8
 * million characters).
 */
const MEMO_TEXTS = 2_000;
const MEMO_CHARACTERS = 8_000_000;

const ASCII = /^[\0-\x7f]*$/;

/**
 * Counts tokens by a tiktoken encoding, exactly as js-tiktoken's `encode(text, [], [])` does: special-token text is
 * ordinary text, and a lone surrogate counts as U+FFFD. Takes linear time for any text.
 */
export class EncodingCounter implements TokenCounter {
  readonly id: string;
  /** Where a text may be cut so that the counts of its parts add up to the count of the whole. */
  readonly cuts: readonly CutRule[];
  readonly #ranks: RankTable;
  readonly #asciiPieces: RegExp;
  /** Compiled for the first text that is not ASCII, because it takes as long as reading the rank table. */
  #pieces: RegExp | null = null;
  readonly #texts = new BoundedMemo(MEMO_TEXTS, MEMO_CHARACTERS);
  readonly #merge: BytePairMerge;
  readonly #utf8 = new Utf8Reader();
  readonly #known = new PieceMemo((bytes, from, to) =>
    this.#ranks.rank(bytes, from, to) === NO_RANK ? this.#merge.count(bytes, from, to) : 1,
  );

  constructor(id: string, ranks: RankTable, cuts: readonly CutRule[]) {
    this.id = id;
    this.cuts = cuts;
    this.#ranks = ranks;
    this.#merge = new BytePairMerge(ranks);
    this.#asciiPieces = new RegExp(asciiPattern(ranks.pattern), 'g');
  }

  /** A recently counted text costs one look-up. */
  count(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      return known;
    }
    const tokens = this.#countPieces(text);
    this.#texts.set(text, tokens);
    return tokens;
  }

  /** Its texts are not cached: the parts of a growing text rarely come again. */
  stream(): GrowingCount {
    return new StreamCount((text) => this.#countPieces(text), this.cuts);
  }

  #countPieces(text: string): number {
    const pieces = ASCII.test(text) ? this.#asciiPieces : this.#anyPieces();
    const utf8 = this.#utf8;
    let tokens = 0;
    utf8.begin(text);
    pieces.lastIndex = 0;
    while (pieces.test(text)) {
      utf8.next(pieces.lastIndex);
      tokens += this.#known.get(utf8.bytes, utf8.start, utf8.end);
    }
    return tokens;
  }

  #anyPieces(): RegExp {
    this.#pieces ??= new RegExp(this.#ranks.pattern, 'gu');
    return this.#pieces;
  }
}
