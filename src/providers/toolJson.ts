import { failure } from '../engine/errors.js';
import { type Json, type JsonObject, isObject } from '../engine/json.js';

/** Matches an escaped lone surrogate in JSON. Does not match after an escaped backslash. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Returns JSON with U+FFFD in place of lone surrogates. Strict parsers refuse a body with lone surrogates. */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  // Few bodies contain `\ud`, and this check is many times faster than the replacement.
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\uFFFD') : json;
}

/**
 * Returns the schema of a tool's arguments as providers require it. Adds the `type` that schemas of VS Code extensions
 * may lack. Throws `protocol` if the schema is no JSON object.
 */
export function inputSchema(name: string, schema: Json): JsonObject & { readonly type: 'object' } {
  if (!isObject(schema)) {
    throw failure('tool.badSchema', { name });
  }
  return { type: 'object', ...schema };
}
