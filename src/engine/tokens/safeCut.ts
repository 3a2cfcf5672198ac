/*
 * Where a text can be cut so that the token counts of the two halves add up to the count of the whole, whatever
 * stands before and after. An encoding splits a text into pieces with a regular expression without look-behind, so a
 * cut is safe when it is the end of a piece and when that piece, and those before it, stay the same without the text
 * behind the cut.
 *
 *     afterLetter     a piece that holds letters ends at anything but a letter, a mark or the `'` of a contraction
 *     afterDigit      a piece that holds digits ends at anything but a digit
 *     afterLineBreak  white space that holds line breaks ends after the last of them, and so does a piece of other
 *                     characters that takes line breaks and slashes with it
 *
 * The first two hold for every encoding here. The third holds only where the expression has an alternative for line
 * breaks: elsewhere `\n\n` at the end of a text is one piece, but two when a word follows.
 */

export type CutRule = keyof typeof RULES;

/**
 * Most UTF-16 units that are counted at a time: some milliseconds for the worst text. A text without a safe cut for so long, as no
 * one writes, is cut there all the same: its count is a token or two off at each such place. Regular expressions run out of stack
 * for millions of letters, and nobody else would get a turn for seconds.
 */
export const MOST_AT_ONCE = 4_096;

/** Where to cut what begins at `from` and is longer than `MOST_AT_ONCE`. The cuts of a text depend on nothing but the text. */
export function cutBehind(text: string, from: number, rules: readonly CutRule[]): number {
  const window = text.slice(from, from + MOST_AT_ONCE);
  const cut = lastSafeCut(window, 0, rules);
  return from + (cut > 0 ? cut : isFirstHalf(window.slice(-1)) ? MOST_AT_ONCE - 1 : MOST_AT_ONCE);
}

/** The characters before and after a cut. */
const RULES = {
  afterLetter: { before: /^\p{L}$/u, after: /^[^\p{L}\p{M}']$/u },
  afterDigit: { before: /^\p{N}$/u, after: /^\P{N}$/u },
  afterLineBreak: { before: /^\n$/u, after: /^[^\s/]$/u },
} as const;

/**
 * The last place after `from` where `text` can be cut by one of `rules`, also when it goes on later; `from` when there
 * is none. At the end itself it cannot be: the rules look at the character behind the cut.
 */
export function lastSafeCut(text: string, from: number, rules: readonly CutRule[]): number {
  for (let at = text.length - 1; at > from; at -= 1) {
    if (isSafeCut(text, at, rules)) {
      return at;
    }
  }
  return from;
}

function isSafeCut(text: string, at: number, rules: readonly CutRule[]): boolean {
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (at === text.length - 1 && isFirstHalf(after)) {
    // Its second half may be on its way, and make it a letter or a digit.
    return false;
  }
  const before = characterBefore(text, at);
  return rules.some((rule) => RULES[rule].before.test(before) && RULES[rule].after.test(after));
}

/** The character that ends at `at`; the first half alone when `at` is within a surrogate pair, which no rule takes. */
function characterBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return isFirstHalf(pair.charAt(0)) ? String.fromCodePoint(pair.codePointAt(0) ?? 0) : pair.slice(-1);
}

function isFirstHalf(unit: string): boolean {
  return /^[\ud800-\udbff]$/u.test(unit);
}
