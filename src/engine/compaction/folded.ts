/** Markdown marks: emphasis, code spans, headings, quotes, strike-through. */
const MARKS = /[*_`#>~]+/g;
const SPACES = /\s+/g;
const SINGLE_QUOTES = /[‘’]/g;
const DOUBLE_QUOTES = /[“”„«»]/g;

/**
 * Removes differences that summarizers make when they copy word for word: case, space, Markdown marks, quotation marks.
 * A cased final sigma becomes a common one, because its lower case depends on the next character.
 */
export function folded(text: string): string {
  return text
    .replace(MARKS, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SPACES, ' ')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .trim();
}
