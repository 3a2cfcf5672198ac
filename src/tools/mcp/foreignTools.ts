import { DEEPEST_JSON, type Json, type JsonObject, isNestedTooDeeply, isObject } from '../../engine/json.js';
import { invalidUnused, type Note, noteInvalid, shownName, texts } from './foreignMembers.js';

/*
 * Reads the tools of a server one by one, because the SDK refuses a whole list for one invalid member. Keeps only the
 * members that Loupe uses.
 */

/** Keywords whose value can be null. A null in any other keyword means that the server has no value for it. */
const ANY_VALUE: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Keywords that hold a schema for each of their members. The names of the members are no keywords. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** The types of JSON Schema. Providers refuse a request with another one, such as `any`. */
const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const ANYTHING: JsonObject = {};

/**
 * Returns the usable tools in a form that the SDK accepts. `note` gets a sentence for each invalid tool. `owner` names
 * the server or extension of the tools in it.
 */
export function readTools(items: readonly Json[], owner: string, note: Note): JsonObject[] {
  return items.flatMap((item, at) => {
    const tool = isObject(item) ? item : {};
    const { name } = tool;
    if (typeof name !== 'string' || name === '') {
      note(`Loupe does not use tool ${String(at + 1)} of ${owner}: it has no name.`);
      return [];
    }
    const shown = shownName(name);
    if (isNestedTooDeeply(item)) {
      note(`Loupe does not use the tool "${shown}" of ${owner}: it is nested deeper than ${String(DEEPEST_JSON)} levels.`);
      return [];
    }
    const invalid: string[] = [];
    const inputSchema = readInputSchema(tool['inputSchema'], invalid);
    if (inputSchema === null) {
      note(`Loupe does not use the tool "${shown}" of ${owner}: its "inputSchema" must be a JSON Schema of the type "object".`);
      return [];
    }
    const read = { name, ...texts(tool, ['title', 'description'], invalid), inputSchema, ...readAnnotations(tool, invalid) };
    invalid.push(...(isOutputSchema(tool['outputSchema']) ? [] : ['outputSchema']), ...invalidUnused(tool));
    noteInvalid(`The tool "${shown}" of ${owner}`, invalid, note);
    return [read];
  });
}

/** Whether the SDK would accept the schema of results, which Loupe does not use. */
function isOutputSchema(schema: Json | undefined): boolean {
  return schema === undefined || (isObject(schema) && Object.keys(schema).length > 0);
}

function readAnnotations({ annotations }: JsonObject, invalid: string[]): JsonObject {
  if (!isObject(annotations)) {
    invalid.push(...(annotations === undefined ? [] : ['annotations']));
    return {};
  }
  const { readOnlyHint } = annotations;
  const isHint = typeof readOnlyHint === 'boolean';
  invalid.push(...(isHint || readOnlyHint === undefined ? [] : ['annotations.readOnlyHint']));
  return { annotations: { ...texts(annotations, ['title'], invalid), ...(isHint ? { readOnlyHint } : {}) } };
}

/** Returns the schema with sorted keys. Null for a schema that is no object, or that no arguments can match. */
function readInputSchema(schema: Json | undefined, invalid: string[]): (JsonObject & { readonly type: 'object' }) | null {
  if (schema === undefined || schema === null) {
    invalid.push('inputSchema');
    return { type: 'object' };
  }
  if (!isObject(schema)) {
    return null;
  }
  const { type } = schema;
  const isObjectType = type === undefined || type === null || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObjectType) {
    return null;
  }
  invalid.push(...(type === 'object' ? [] : ['inputSchema.type']));
  return { ...(sortedSchema({ ...schema, type: 'object' }, 'inputSchema', invalid) as JsonObject), type: 'object' };
}

/**
 * Returns a schema without invalid keywords. Sorts its keys and the names in `required`, so that a server that changes
 * their order does not change the requests. `path` names the schema in `invalid`.
 */
function sortedSchema(schema: Json, path: string, invalid: string[]): Json {
  if (!isObject(schema)) {
    if (typeof schema === 'boolean') {
      return schema;
    }
    invalid.push(path);
    return ANYTHING;
  }
  return sortedMembers(schema, (key, value) => {
    const at = `${path}.${key}`;
    const read = keyword(key, value, at, invalid);
    invalid.push(...(read === undefined ? [at] : []));
    return read;
  });
}

/** Returns the value of a keyword, or undefined when it is invalid. */
function keyword(key: string, value: Json, at: string, invalid: string[]): Json | undefined {
  if (NAMED_SCHEMAS.has(key)) {
    return isObject(value) ? sortedMembers(value, (name, schema) => sortedSchema(schema, `${at}.${name}`, invalid)) : undefined;
  }
  if (key === 'required') {
    // Draft 3 of JSON Schema had a boolean here, in the schema of a property.
    return Array.isArray(value) && value.every((name) => typeof name === 'string') ? [...value].sort() : undefined;
  }
  if (key === 'type') {
    return isType(value) ? value : undefined;
  }
  if (value === null && !ANY_VALUE.has(key)) {
    return undefined;
  }
  return ANY_VALUE.has(key) ? sorted(value) : subschemas(key, value, at, invalid);
}

function isType(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value);
}

function subschemas(key: string, value: Json, at: string, invalid: string[]): Json {
  if (Array.isArray(value) && ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'].includes(key)) {
    return value.map((each: Json, index) => sortedSchema(each, `${at}.${String(index)}`, invalid));
  }
  return ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames'].includes(key)
    ? sortedSchema(value, at, invalid)
    : sorted(value);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isObject(value) ? sortedMembers(value, (_key, member) => sorted(member)) : value;
}

function sortedMembers(object: JsonObject, change: (key: string, value: Json) => Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .flatMap((key): [string, Json][] => {
        const changed = change(key, object[key] as Json);
        return changed === undefined ? [] : [[key, changed]];
      }),
  );
}
