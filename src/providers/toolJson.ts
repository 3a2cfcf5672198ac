import { failure } from '../engine/errors.js';
import { type Json, type JsonObject, isObject } from '../engine/json.js';

/** Matches an escaped lone surrogate in JSON. Skips one whose backslash is itself escaped. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Returns JSON with U+FFFD for lone surrogates, which are invalid Unicode: strict parsers refuse the whole body. */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  // Very few bodies contain such an escape, and this check is many times faster than the replacement.
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\uFFFD') : json;
}

/**
 * Returns the schema of a tool's arguments as providers require it. Adds the type if the schema of a VS Code extension
 * lacks it. Throws `protocol` for a schema that is no JSON object.
 */
export function inputSchema(name: string, schema: Json): JsonObject & { readonly type: 'object' } {
  if (!isObject(schema)) {
    throw failure('tool.badSchema', { name });
  }
  return { type: 'object', ...schema };
}
