/*
 * The search ignores case like the flag `i` without `u` in JavaScript's regular expressions. It compares the simple
 * upper case of each UTF-16 unit, and an ASCII letter equals ASCII letters only. So é = É and σ = ς = Σ, but ß ≠ ss,
 * and neither ı nor the Kelvin sign equals an ASCII letter. A match is as long as the query.
 */

export interface SearchPattern {
  readonly inText: RegExp;
  /** Finds all lines that can match, and some others. `inText` then searches the text of a found line. */
  readonly inLines: RegExp;
  /** The encoding in which to read lines. For an ASCII query, lines need no decoding of UTF-8. */
  readonly encoding: 'latin1' | 'utf8';
  /** The length of each match, in UTF-16 units. */
  readonly length: number;
}

/** `query` must not be empty. */
export function searchPattern(query: string): SearchPattern {
  // A lone surrogate in the query also matches half of a pair. JSON escapes a lone surrogate, but not half of a pair.
  const written = escaped(JSON.stringify(query).slice(1, -1)).replace(/\\\\(ud[89a-f][0-9a-f]{2})/g, String.raw`(?:\\$1|\$1)`);
  return {
    inText: new RegExp(escaped(query), 'i'),
    inLines: new RegExp(written, 'gi'),
    encoding: Buffer.byteLength(query) === query.length ? 'latin1' : 'utf8',
    length: query.length,
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
