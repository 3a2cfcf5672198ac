import type { GrowingCount, StreamedTokens } from '../ports.js';
import { cutAfter, lastSafeCut, MOST_AT_ONCE, type CutRule } from './safeCut.js';

/**
 * Maximum length of a tail (text after the last safe cut, in UTF-16 units) that each read counts again: a millisecond
 * at most. Prose and code have a safe cut at nearly every word, so a tail usually has about ten units.
 */
const SHORT_TAIL = 512;

/**
 * A longer tail (such as one letter repeated) is counted again only when it has grown by this factor. All these counts
 * together take about five times as long as one count of the whole tail.
 */
const GROWTH = 1.25;

/** No part of the tail is counted. */
const NOTHING = { length: 0, tokens: 0 };

/** Counts a text that grows. Text before the last safe cut is counted once, then dropped, so the cost is linear. */
export class StreamCount implements GrowingCount {
  readonly #count: (text: string) => number;
  readonly #cuts: readonly CutRule[];
  /** Tokens of the text before the last safe cut. */
  #settled = 0;
  /** The text after the last safe cut. */
  #tail = '';
  /** The part at the start of the tail that was counted last: its length and its tokens. */
  #counted = NOTHING;

  constructor(count: (text: string) => number, cuts: readonly CutRule[]) {
    this.#count = count;
    this.#cuts = cuts;
  }

  append(text: string): void {
    // Rules need the next character, so the last old character (maybe half a surrogate pair) is only checked now.
    const looked = Math.max(0, this.#tail.length - 2);
    this.#tail += text;
    const cut = lastSafeCut(this.#tail, looked, this.#cuts);
    if (cut > looked) {
      this.#settle(cut);
    }
    while (this.#tail.length > MOST_AT_ONCE) {
      this.#settle(cutAfter(this.#tail, 0, this.#cuts));
    }
  }

  #settle(cut: number): void {
    this.#settled += this.#count(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
    this.#counted = NOTHING;
  }

  /** Returns the count. It depends only on the whole text, not on how the text was divided for `append`. */
  read(): StreamedTokens {
    const { length } = this.#tail;
    const countable = length <= SHORT_TAIL ? length : lastStep(length);
    if (this.#counted.length !== countable) {
      this.#counted = { length: countable, tokens: this.#count(this.#tail.slice(0, countable)) };
    }
    const isExact = countable === length;
    const tail = isExact ? this.#counted.tokens : Math.round((this.#counted.tokens * length) / countable);
    return { tokens: this.#settled + tail, isExact };
  }
}

/** Returns the largest length up to `length` at which a long tail is counted. */
function lastStep(length: number): number {
  let step = SHORT_TAIL;
  while (step * GROWTH <= length) {
    step *= GROWTH;
  }
  return Math.floor(step);
}
