/** A lone surrogate as escaped by `JSON.stringify`, unless its backslash is itself escaped. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Returns JSON with U+FFFD for lone surrogates. They are invalid Unicode, and strict parsers refuse the whole body. */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  // Very few bodies have one, and this search is many times faster.
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\uFFFD') : json;
}
