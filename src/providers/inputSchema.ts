import { failure } from '../engine/errors.js';
import { isObject, type Json, type JsonObject } from '../engine/json.js';

/**
 * The schema of a tool's arguments as providers take it. One without a type, as extensions of VS Code have them, is one of an object;
 * providers demand the type. Throws `protocol` for a schema that is no JSON object.
 */
export function inputSchema(name: string, schema: Json): JsonObject & { readonly type: 'object' } {
  if (!isObject(schema)) {
    throw failure('tool.badSchema', { name });
  }
  return { type: 'object', ...schema };
}
