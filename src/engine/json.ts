/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Maximum number of levels of nested objects and arrays. `JSON.parse` accepts any depth, but `JSON.stringify` and
 * Loupe's recursive functions run out of stack between 3,000 and 5,000 levels. Real data has fewer than 100.
 */
export const DEEPEST_JSON = 500;

/** Parses JSON of other programs. Undefined if the text is not JSON, or is nested deeper than `DEEPEST_JSON`. */
export function parseForeignJson(text: string): Json | undefined {
  return isTooDeep(text) ? undefined : parseJson(text);
}

/** Parses JSON. Undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) {
      return undefined;
    }
    throw thrown;
  }
}

/** Returns whether a value is nested deeper than `DEEPEST_JSON`, so that recursive functions could fail. */
export function isNestedTooDeeply(value: Json): boolean {
  return exceedsLevels(value, DEEPEST_JSON);
}

function exceedsLevels(value: Json, levels: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each: Json) => exceedsLevels(each, levels - 1)))
  );
}

/** Returns whether a JSON text is nested too deeply. The result is meaningless for a text that is not JSON. */
function isTooDeep(text: string): boolean {
  // Each level needs two characters, so a short text cannot be too deep.
  if (text.length <= 2 * DEEPEST_JSON) {
    return false;
  }
  let depth = 0;
  for (let at = 0; at < text.length && depth <= DEEPEST_JSON; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '[' || character === '{') {
      depth += 1;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return depth > DEEPEST_JSON;
}

/** Returns the index of the quotation mark that ends the string from `from`; the text's length if it is missing. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') {
      backslashes += 1;
    }
    // A quote is escaped if the number of backslashes before it is odd.
    if (backslashes % 2 === 0) {
      return at;
    }
  }
  return text.length;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts a value to JSON for hashing: equal values give equal text. Object keys are sorted by UTF-16 code unit, and
 * the text has no white space. `undefined` members are skipped, as in `JSON.stringify`. Lone surrogates are escaped
 * (well-formed `JSON.stringify`), so that different strings never give the same bytes.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    const object = value as JsonObject;
    let members = '';
    for (const key of Object.keys(object).sort()) {
      const member = object[key];
      if (member !== undefined) {
        members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
      }
    }
    return `{${members}}`;
  }
  return JSON.stringify(value);
}
