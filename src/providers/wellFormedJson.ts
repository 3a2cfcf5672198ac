/** A lone surrogate as `JSON.stringify` escapes it, not behind a backslash that is one itself. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * JSON in which lone surrogates, in texts and in names, are U+FFFD. They are no Unicode text, and strict parsers
 * refuse the whole body for one of them.
 */
export function wellFormedJson(value: object): string {
  return JSON.stringify(value).replace(LONE_SURROGATE, '$1\uFFFD');
}
