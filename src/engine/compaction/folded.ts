/** Marks of Markdown: emphasis, code spans, headings, quotes, strike-through. */
const MARKS = /[*_`#>~]+/g;
const SPACES = /\s+/g;
const SINGLE_QUOTES = /[‘’]/g;
const DOUBLE_QUOTES = /[“”„«»]/g;

/**
 * The text without what a summarizer changes though it copies word for word: case, space, Markdown marks and the form of
 * quotation marks. A cased final sigma is made a common one, because its lower case depends on what follows.
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
