import type { GrowingCount, TokenCounter } from '../ports.js';
import { BytePairMerge } from './bytePairMerge.js';
import { PieceMemo } from './pieceMemo.js';
import { NO_RANK, type RankTable } from './rankTable.js';
import { type CutRule, MOST_AT_ONCE, cutAfter } from './safeCut.js';
import { StreamCount } from './streamCount.js';
import { Utf8Reader } from './utf8Reader.js';

/**
 * A cache of numbers by text, which evicts the least recently used texts. It limits the number of texts and their total
 * of characters (UTF-16 units). A text above the second limit is not cached.
 */
export class BoundedMemo {
  readonly #mostTexts: number;
  readonly #mostCharacters: number;
  /** The numbers by text, the least recently used first. */
  readonly #values = new Map<string, number>();
  #characters = 0;

  constructor(mostTexts: number, mostCharacters: number) {
    this.#mostTexts = mostTexts;
    this.#mostCharacters = mostCharacters;
  }

  get(text: string): number | undefined {
    const value = this.#values.get(text);
    if (value !== undefined) {
      this.#values.delete(text);
      this.#values.set(text, value);
    }
    return value;
  }

  set(text: string, value: number): void {
    if (text.length > this.#mostCharacters) {
      return;
    }
    this.#delete(text);
    this.#values.set(text, value);
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#mostTexts && this.#characters <= this.#mostCharacters) {
        break;
      }
      this.#delete(oldest);
    }
  }

  #delete(text: string): void {
    if (this.#values.delete(text)) {
      this.#characters -= text.length;
    }
  }
}

/** Limits of the cache of whole texts: the messages and files of a long chat, in about 16 MB of memory. */
const MEMO_TEXTS = 2_000;
const MEMO_CHARACTERS = 8_000_000;

const ASCII = /^[\0-\x7f]*$/;

/** The ASCII characters of each Unicode property in the encodings' regular expressions. Unicode never changes these. */
const ASCII_MEMBERS: Readonly<Record<string, string>> = {
  L: 'A-Za-z',
  Lu: 'A-Z',
  Ll: 'a-z',
  Lt: '',
  Lm: '',
  Lo: '',
  M: '',
  N: '0-9',
};

/**
 * Counts tokens by a tiktoken encoding, exactly like js-tiktoken's `encode(text, [], [])`: special-token text is
 * ordinary text, and a lone surrogate counts as U+FFFD. In text without safe cuts, the count is off by a token or two
 * for each `MOST_AT_ONCE` units. Takes linear time.
 */
export class EncodingCounter implements TokenCounter {
  readonly id: string;
  /** Rules for cuts. After a cut by such a rule, the counts of the parts add up to the count of the text. */
  readonly cuts: readonly CutRule[];
  readonly #ranks: RankTable;
  readonly #asciiPieces: RegExp;
  /** Compiled for the first text that is not ASCII: compiling takes as long as reading the rank table. */
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

  count(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      return known;
    }
    const tokens = this.#countAll(text);
    this.#texts.set(text, tokens);
    return tokens;
  }

  *countInParts(text: string): Generator<number, void> {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      yield known;
      return;
    }
    let tokens = 0;
    for (const part of this.#parts(text)) {
      const counted = this.#countPieces(part);
      tokens += counted;
      yield counted;
    }
    this.#texts.set(text, tokens);
  }

  /** Counts a growing text. Does not cache its parts, because they rarely occur again. */
  stream(): GrowingCount {
    return new StreamCount((text) => this.#countAll(text), this.cuts);
  }

  #countAll(text: string): number {
    let tokens = 0;
    for (const part of this.#parts(text)) {
      tokens += this.#countPieces(part);
    }
    return tokens;
  }

  *#parts(text: string): Generator<string, void> {
    let from = 0;
    while (text.length - from > MOST_AT_ONCE) {
      const cut = cutAfter(text, from, this.cuts);
      yield text.slice(from, cut);
      from = cut;
    }
    yield text.slice(from);
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

/**
 * Returns the regular expression for ASCII texts, without the `u` flag. Compiling the sets of Unicode properties takes
 * V8 as long as reading a rank table, and many texts do not need them. Throws for an unknown property.
 */
export function asciiPattern(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\p\{(\w+)\}|\\.|[[\]]/giu, (found: string, property: string | undefined) => {
    if (found === '[' || found === ']') {
      isInClass = found === '[';
    }
    if (property === undefined) {
      return found;
    }
    const members = found.startsWith('\\p') ? ASCII_MEMBERS[property] : undefined;
    if (members === undefined) {
      throw new Error(`What ${found} means for ASCII is not known.`);
    }
    return isInClass ? members : `[${members}]`;
  });
}
