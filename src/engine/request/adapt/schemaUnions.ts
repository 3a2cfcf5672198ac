import { type Json, type JsonObject, isObject } from '../../json.js';
import { resolved } from './schemaReferences.js';

const UNIONS = ['allOf', 'anyOf', 'oneOf'] as const;
type Union = (typeof UNIONS)[number];

/** Other keywords that providers refuse at the top. Without them, a schema allows more arguments, never fewer. */
const REFUSED_AT_TOP = ['not', 'enum', 'const'] as const;

/** Maximum depth of unions in unions: more than in real schemas. A reference can lead back to its own union. */
const DEEPEST = 8;

/**
 * Merges the unions at the top of a schema into one object with the properties of all branches, because providers
 * refuse unions there. A property that differs between branches may have the schema of any branch. Null if a branch
 * allows no object.
 */
export function mergedUnions(schema: JsonObject): JsonObject | null {
  const hasOwn = [...UNIONS, ...REFUSED_AT_TOP].some((key) => schema[key] !== undefined);
  return hasOwn || schema['$ref'] !== undefined ? mergedAt(schema, schema, 0) : schema;
}

function mergedAt(from: JsonObject, root: JsonObject, depth: number): JsonObject | null {
  const schema = resolved(from, root);
  if (schema === null || depth > DEEPEST || !allowsObjects(schema)) {
    return null;
  }
  let all: JsonObject | null = Object.fromEntries(Object.entries(schema).filter(([key]) => !isRefusedAtTop(key)));
  for (const union of UNIONS) {
    const branches = schema[union];
    if (Array.isArray(branches) && all !== null) {
      const read = (branches as readonly Json[]).map((branch) =>
        branch === true ? {} : isObject(branch) ? mergedAt(branch, root, depth + 1) : null,
      );
      all = withBranches(all, read, union);
    }
  }
  return all;
}

function isRefusedAtTop(key: string): boolean {
  return [...UNIONS, ...REFUSED_AT_TOP].some((each) => each === key);
}

function allowsObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Adds the properties of branches. In a choice, branches that allow no object (null) do not matter. */
function withBranches(base: JsonObject, read: readonly (JsonObject | null)[], union: Union): JsonObject | null {
  const branches = read.filter((branch) => branch !== null);
  if (branches.length === 0 || (union === 'allOf' && branches.length < read.length)) {
    return null;
  }
  const properties = new Map<string, Json[]>();
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      const schemas = properties.get(name) ?? [];
      const isKnown = schemas.some((each) => JSON.stringify(each) === JSON.stringify(schema));
      properties.set(name, isKnown ? schemas : [...schemas, schema]);
    }
  }
  const own = propertiesOf(base);
  const added = [...properties].filter(([name]) => !Object.hasOwn(own, name));
  const merged = added.map(([name, schemas]): [string, Json] => {
    const [only] = schemas;
    return [name, schemas.length === 1 && only !== undefined ? only : { [union === 'allOf' ? 'allOf' : 'anyOf']: schemas }];
  });
  const required = [...new Set([...requiredOf(base), ...requiredIn(branches, union)])];
  const { additionalProperties, required: _required, ...others } = base;
  return {
    ...others,
    type: 'object',
    properties: { ...own, ...Object.fromEntries(merged) },
    ...(required.length === 0 ? {} : { required }),
    // Forbids other properties only if the branches add none.
    ...(additionalProperties === undefined || (additionalProperties === false && added.length > 0) ? {} : { additionalProperties }),
  };
}

/** Returns the names that all branches require, or for `allOf` that any branch requires. */
function requiredIn(branches: readonly JsonObject[], union: Union): readonly string[] {
  const names = branches.flatMap(requiredOf);
  return union === 'allOf' ? names : names.filter((name) => branches.every((branch) => requiredOf(branch).includes(name)));
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
