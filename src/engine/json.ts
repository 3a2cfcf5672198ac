/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value of a JSON text; undefined when the text is not JSON. */
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

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON for hashing: equal values give equal text. The keys of every object are sorted by UTF-16 code unit, and there is no
 * white space. Properties that are `undefined` are left out, as by `JSON.stringify`. A lone surrogate is escaped
 * (well-formed `JSON.stringify`), so that different strings never give the same bytes.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    const object = value as JsonObject;
    const members = Object.keys(object)
      .sort()
      .filter((key) => object[key] !== undefined)
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}
