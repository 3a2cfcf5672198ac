import type { ToolNameRule, ToolSchemaRule } from '../../model/model.js';
import { type Json, type JsonObject, isNestedTooDeeply, isObject } from '../../json.js';
import { mergedUnions } from './schemaUnions.js';
import { isInlinable, inlined } from './schemaReferences.js';

/** Why a provider would refuse the schema of a tool: its form, or the name of an argument. */
export type SchemaRefusal = 'form' | { readonly argument: string };

/** The schema that a request contains. The same object if the schema needs no change. Or the reason of a refusal. */
export type SentSchema = { readonly schema: JsonObject } | { readonly refused: SchemaRefusal };

/** Conversions so far. A tool's schema is the same object in every request, and few rules exist. */
const known = new WeakMap<JsonObject, Map<ToolSchemaRule, SentSchema>>();

/**
 * Converts the schema of a tool's arguments to a form that the provider accepts. The result depends only on the schema
 * and the rule, so the prefix of a growing conversation keeps its bytes.
 */
export function sentSchema(schema: Json, rule: ToolSchemaRule): SentSchema {
  if (!isObject(schema)) {
    return { refused: 'form' };
  }
  const byRule = known.get(schema) ?? new Map<ToolSchemaRule, SentSchema>();
  const sent = byRule.get(rule) ?? converted(schema, rule);
  known.set(schema, byRule.set(rule, sent));
  return sent;
}

function converted(schema: JsonObject, rule: ToolSchemaRule): SentSchema {
  if (isNestedTooDeeply(schema) || (!rule.references && !isInlinable(schema))) {
    return { refused: 'form' };
  }
  const plain = rule.references ? schema : inlined(schema);
  const merged = rule.unionsAtTop ? plain : mergedUnions(plain);
  const typed = merged === null ? null : withObjectType(merged);
  if (typed === null) {
    return { refused: 'form' };
  }
  const complete = completed(typed);
  const argument = rule.propertyNames === null ? null : refusedName(complete, rule.propertyNames);
  if (argument !== null) {
    return { refused: { argument } };
  }
  return { schema: JSON.stringify(complete) === JSON.stringify(schema) ? schema : complete };
}

/** Returns the schema for objects. Null for a schema that no object matches. Converters add a missing type. */
function withObjectType(schema: JsonObject): JsonObject | null {
  const { type, ...others } = schema;
  if (type === undefined || type === 'object') {
    return schema;
  }
  return type === null || (Array.isArray(type) && type.includes('object')) ? { type: 'object', ...others } : null;
}

/** Returns the first name of an argument that the provider does not accept. Providers check only the top level. */
function refusedName({ properties }: JsonObject, { characters, maxLength }: Pick<ToolNameRule, 'characters' | 'maxLength'>): string | null {
  const isValid = new RegExp(`^[${characters}]{1,${String(maxLength)}}$`);
  return (isObject(properties) ? Object.keys(properties) : []).find((name) => !isValid.test(name)) ?? null;
}

/** Keywords with a schema for each of their members, with a list of schemas, and with one schema. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames']);

/**
 * Adds `properties` to each schema of an object and `items` to each schema of an array: OpenAI and others require both,
 * also for a type in a list and besides `prefixItems`. Replaces a list in `items`, which newer drafts of JSON Schema do
 * not know, by a choice.
 */
function completed(schema: JsonObject): JsonObject {
  const isArray = hasType(schema, 'array') && schema['items'] === undefined;
  const isObjectType = hasType(schema, 'object') && schema['properties'] === undefined;
  const members = Object.entries(withNumericBounds(schema)).map(([key, value]): [string, Json] => [key, completedMember(key, value)]);
  return { ...Object.fromEntries(members), ...(isObjectType ? { properties: {} } : {}), ...(isArray ? { items: {} } : {}) };
}

/** Exclusive bounds with the bounds that they exclude in draft 4 of JSON Schema, where they are booleans. */
const EXCLUSIVE_BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Replaces boolean exclusive bounds by numbers. Anthropic refuses schemas that draft 2020-12 does not allow. */
function withNumericBounds(schema: JsonObject): JsonObject {
  return EXCLUSIVE_BOUNDS.reduce<JsonObject>((changed, [exclusive, bound]) => {
    const { [exclusive]: isExclusive, ...others } = changed;
    if (typeof isExclusive !== 'boolean') {
      return changed;
    }
    const { [bound]: limit, ...rest } = others;
    return isExclusive && typeof limit === 'number' ? { ...rest, [exclusive]: limit } : others;
  }, schema);
}

function hasType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function completedMember(key: string, value: Json): Json {
  if (NAMED_SCHEMAS.has(key) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, completedSchema(each)]));
  }
  if (Array.isArray(value) && key === 'items') {
    return completedSchema(value.length === 1 ? (value[0] as Json) : { anyOf: value as readonly Json[] });
  }
  if (Array.isArray(value) && SCHEMA_LISTS.has(key)) {
    return value.map(completedSchema);
  }
  return SCHEMAS.has(key) ? completedSchema(value) : value;
}

function completedSchema(schema: Json): Json {
  return isObject(schema) ? completed(schema) : schema;
}
