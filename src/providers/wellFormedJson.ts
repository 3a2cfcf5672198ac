/** A lone surrogate as `JSON.stringify` escapes it, when its backslash is not itself escaped. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * JSON with U+FFFD in place of lone surrogates, in texts and in names. Those are not valid Unicode, and strict
 * parsers refuse the whole body for one of them.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  // Hardly any body has one, and the search for the beginning of its escape is many times as fast.
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\uFFFD') : json;
}
