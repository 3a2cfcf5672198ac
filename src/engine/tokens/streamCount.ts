import type { GrowingCount, StreamedTokens } from '../ports.js';
import { lastSafeCut, type CutRule } from './safeCut.js';

/**
 * Characters (UTF-16 units) behind the last safe cut that are counted anew at each look: a millisecond at most. Prose
 * and code have a cut at nearly every word, so it is some ten of them as a rule.
 */
const SHORT_TAIL = 512;

/**
 * A longer text without a safe cut (one letter over and over) is counted again when it has grown by this factor, which
 * adds up to five times the cost of counting it once.
 */
const GROWTH = 1.25;

/** Nothing of a tail is counted yet. */
const NOTHING = { length: 0, tokens: 0 };

/**
 * Counts a text that grows. What stands before the last safe cut is counted once and forgotten, so the cost is linear
 * in the length of the text as long as it is looked at once per so many characters, however long it gets.
 */
export class StreamCount implements GrowingCount {
  readonly #count: (text: string) => number;
  readonly #cuts: readonly CutRule[];
  /** Tokens before the last safe cut, and the text behind it. */
  #settled = 0;
  #tail = '';
  /** The beginning of the tail that was counted last. */
  #counted = NOTHING;

  constructor(count: (text: string) => number, cuts: readonly CutRule[]) {
    this.#count = count;
    this.#cuts = cuts;
  }

  append(text: string): void {
    // The character before the seam was the last one, or the first half of it: whether a cut is there shows only now.
    const looked = Math.max(0, this.#tail.length - 2);
    this.#tail += text;
    const cut = lastSafeCut(this.#tail, looked, this.#cuts);
    if (cut > looked) {
      this.#settled += this.#count(this.#tail.slice(0, cut));
      this.#tail = this.#tail.slice(cut);
      this.#counted = NOTHING;
    }
  }

  /** The same for the same text, in whatever pieces it came. */
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

/** The largest of the lengths at which a long tail is counted that is not above `length`. */
function lastStep(length: number): number {
  let step = SHORT_TAIL;
  while (step * GROWTH <= length) {
    step *= GROWTH;
  }
  return Math.floor(step);
}
