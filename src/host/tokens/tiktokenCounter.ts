import type { TokenCounter } from '../../engine/ports.js';
import { BoundedMemo } from './boundedMemo.js';
import { countMerged, type Ranks } from './bytePairMerge.js';

/** Rank data as the package js-tiktoken has it. */
export interface TiktokenRanks {
  /** The regular expression that splits a text into pieces; no token spans two. */
  readonly pat_str: string;
  /** Lines of `! {first rank} {token in Base64} {token} ...`, the ranks counting up. */
  readonly bpe_ranks: string;
}

/**
 * Bounds of what a counter remembers: a long chat's messages and files (2,000 texts), in at most about 16 MB of
 * memory (8 million characters).
 */
const MEMO_TEXTS = 2_000;
const MEMO_CHARACTERS = 8_000_000;

const NOT_ASCII = /[\u0080-\uFFFF]/;

/**
 * Counts tokens by a tiktoken encoding, exactly as js-tiktoken's `encode(text, [], [])` does: the text of special
 * tokens is ordinary text, a lone surrogate counts as U+FFFD. Only js-tiktoken's data are used: its own loop
 * takes the square of a piece's length, which would freeze the extension host on a long run of letters.
 */
export class TiktokenCounter implements TokenCounter {
  readonly id: string;
  readonly #pieces: RegExp;
  readonly #ranks: Ranks;
  readonly #longest: number;
  readonly #memo = new BoundedMemo(MEMO_TEXTS, MEMO_CHARACTERS);

  constructor(id: string, data: TiktokenRanks) {
    this.id = id;
    this.#pieces = new RegExp(data.pat_str, 'gu');
    const ranks = readRanks(data.bpe_ranks);
    this.#ranks = ranks;
    this.#longest = [...ranks.keys()].reduce((longest, token) => Math.max(longest, token.length), 0);
  }

  /** A text counted lately costs one look-up. */
  count(text: string): number {
    const known = this.#memo.get(text);
    if (known !== undefined) {
      return known;
    }
    let tokens = 0;
    for (const [piece] of text.matchAll(this.#pieces)) {
      tokens += this.#countPiece(piece);
    }
    this.#memo.set(text, tokens);
    return tokens;
  }

  #countPiece(piece: string): number {
    const bytes = NOT_ASCII.test(piece) ? Buffer.from(piece, 'utf8').toString('latin1') : piece;
    return this.#ranks.has(bytes) ? 1 : countMerged(bytes, this.#ranks, this.#longest);
  }
}

/**
 * The counter of the o200k_base encoding. Loads 2 MB of rank data, so it is called when the first count is
 * needed; each call builds a counter anew, the caller keeps it.
 */
export async function loadO200k(): Promise<TokenCounter> {
  const { default: data } = await import('js-tiktoken/ranks/o200k_base');
  return new TiktokenCounter('o200k_base', data);
}

function readRanks(lines: string): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of lines.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    for (const [index, token] of tokens.entries()) {
      ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(first) + index);
    }
  }
  return ranks;
}
