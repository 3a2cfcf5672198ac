/*
 * "Without case" means what the flag `i` without `u` means in JavaScript's regular expressions. Each UTF-16 unit is compared by its
 * simple upper case, and an ASCII letter equals ASCII letters only: é = É, σ = ς = Σ, but ß ≠ ss, and neither ı nor the Kelvin sign
 * equals an ASCII letter. A match is as long as the query, so its offset needs no mapping.
 */

export interface SearchPattern {
  /** Finds a match in a text. */
  readonly inText: RegExp;
  /** Finds all lines that can match, and some more: the comparison after parsing decides. */
  readonly inLines: RegExp;
  /** How lines are read for it: text in ASCII needs no decoding. */
  readonly encoding: 'latin1' | 'utf8';
  /** Of each match, in UTF-16 units. */
  readonly length: number;
}

/** `query` must not be empty. */
export function searchPattern(query: string): SearchPattern {
  // A line has half of a surrogate pair as an escape, and a whole pair as it is, which holds the half.
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
