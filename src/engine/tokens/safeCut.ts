/*
 * Finds safe cuts in a text: with any text before and after the cut, the token counts of both halves add up to the
 * count of the whole. An encoding splits a text into pieces with a regular expression without look-behind. A cut at the
 * end of a piece is safe if this piece and earlier pieces stay the same without the text after the cut.
 *
 *     afterLetter     a piece with letters ends before anything but a letter, a mark or the `'` of a contraction
 *     afterDigit      a piece with digits ends before anything but a digit
 *     afterLineBreak  white space with line breaks ends after the last of them, and so does a piece of other
 *                     characters that includes line breaks and slashes
 *
 * The first two hold for every encoding here. The third holds only if the expression has an alternative for line
 * breaks: otherwise `\n\n` at the end of a text is one piece, but two pieces before a word.
 */

export type CutRule = keyof typeof RULES;

/**
 * Maximum number of UTF-16 units that are counted at a time: some milliseconds for the slowest text. If so many units
 * have no safe cut, which never happens in prose, Loupe cuts at this length. Each such cut makes the count wrong by a
 * token or two. Regular expressions run out of stack for millions of letters, and would block all other work for
 * seconds.
 */
export const MOST_AT_ONCE = 4_096;

/** Returns where to cut a text longer than `MOST_AT_ONCE`, from index `from` on. Depends only on the text. */
export function cutAfter(text: string, from: number, rules: readonly CutRule[]): number {
  const window = text.slice(from, from + MOST_AT_ONCE);
  const cut = lastSafeCut(window, 0, rules);
  return from + (cut > 0 ? cut : isFirstHalf(window.slice(-1)) ? MOST_AT_ONCE - 1 : MOST_AT_ONCE);
}

/** The characters that must be before and after a cut, for each rule. */
const RULES = {
  afterLetter: { before: /^\p{L}$/u, after: /^[^\p{L}\p{M}']$/u },
  afterDigit: { before: /^\p{N}$/u, after: /^\P{N}$/u },
  afterLineBreak: { before: /^\n$/u, after: /^[^\s/]$/u },
} as const;

/**
 * Returns the last safe cut after `from` by one of `rules`, or `from` if no cut is safe. The cut stays safe if the text
 * grows. The end of the text is not a safe cut, because the rules need the next character.
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
    // The other half of the surrogate pair may arrive later, and the character may be a letter or a digit.
    return false;
  }
  const before = characterBefore(text, at);
  return rules.some((rule) => RULES[rule].before.test(before) && RULES[rule].after.test(after));
}

/** Returns the character that ends at `at`. Inside a surrogate pair: half a character, which no rule accepts. */
function characterBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return isFirstHalf(pair.charAt(0)) ? String.fromCodePoint(pair.codePointAt(0) ?? 0) : pair.slice(-1);
}

function isFirstHalf(unit: string): boolean {
  return /^[\ud800-\udbff]$/u.test(unit);
}
