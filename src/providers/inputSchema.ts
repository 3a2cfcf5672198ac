import { failure } from '../engine/errors.js';
import { isObject, type Json, type JsonObject } from '../engine/json.js';

/**
 * Returns the schema of a tool's arguments as providers require it. Adds the missing type in schemas of VS Code
 * extensions. Throws `protocol` for a schema that is no JSON object.
 */
export function inputSchema(name: string, schema: Json): JsonObject & { readonly type: 'object' } {
  if (!isObject(schema)) {
    throw failure('tool.badSchema', { name });
  }
  return { type: 'object', ...schema };
}
