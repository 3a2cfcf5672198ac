import { type Json, type JsonObject, isObject } from '../../json.js';

/** Maximum number of references that are replaced in a schema. Nested definitions can multiply without end. */
const MOST_REPLACED = 1_000;

/** The members in which schemas keep definitions. Unused after all references are replaced. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** A schema that allows any value. */
const ANYTHING: JsonObject = {};

/** Whether the references of a schema can be replaced within the limit. */
export function isInlinable(schema: JsonObject): boolean {
  const search = new Search(schema);
  search.schema(schema, ['#']);
  return search.replaced <= MOST_REPLACED;
}

/**
 * Replaces each `$ref` by the definition that it names, in the order of the schema. A reference to a definition around
 * it allows any value of the same type, because a schema without references must end. So does a reference to nothing.
 */
export function inlined(schema: JsonObject): JsonObject {
  const found = new Search(schema).schema(schema, ['#']);
  return isObject(found) ? found : schema;
}

/** Returns a schema without a `$ref` of its own, which may name other definitions. Null for a reference to nothing. */
export function resolved(schema: Json, root: JsonObject): JsonObject | null {
  let target: Json | undefined = schema;
  const followed = new Set<string>();
  while (isObject(target) && typeof target['$ref'] === 'string' && !followed.has(target['$ref'])) {
    followed.add(target['$ref']);
    const { $ref, ...siblings }: JsonObject = target;
    const named = definition(root, $ref);
    target = isObject(named) ? { ...named, ...siblings } : undefined;
  }
  return isObject(target) && target['$ref'] === undefined ? target : null;
}

class Search {
  replaced = 0;
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** `around` has the references whose definitions are being replaced. */
  schema(value: Json, around: readonly string[]): Json {
    if (this.replaced > MOST_REPLACED) {
      return ANYTHING;
    }
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map((each) => this.schema(each, around));
    }
    if (!isObject(value)) {
      return value;
    }
    const { $ref, ...siblings } = value;
    return typeof $ref === 'string' ? this.#reference($ref, siblings, around) : this.#members(value, around);
  }

  #reference($ref: string, siblings: JsonObject, around: readonly string[]): Json {
    this.replaced += 1;
    const target = definition(this.#root, $ref);
    const own = this.#members(siblings, around);
    if (target === true) {
      return own;
    }
    if (!isObject(target) || around.includes($ref)) {
      const type = isObject(target) ? target['type'] : undefined;
      return { ...(type === undefined ? ANYTHING : { type }), ...own };
    }
    const found = this.schema(target, [...around, $ref]);
    return isObject(found) ? { ...found, ...own } : own;
  }

  #members(schema: JsonObject, around: readonly string[]): JsonObject {
    const members = Object.entries(schema).filter(([key, value]) => !(DEFINITIONS.has(key) && isObject(value)));
    return Object.fromEntries(members.map(([key, value]): [string, Json] => [key, this.#member(key, value, around)]));
  }

  #member(key: string, value: Json, around: readonly string[]): Json {
    if (key === 'properties' && isObject(value)) {
      // An argument can have the name of a keyword, such as `definitions` or `$ref`.
      return Object.fromEntries(Object.entries(value).map(([name, each]): [string, Json] => [name, this.schema(each, around)]));
    }
    return ['default', 'const', 'enum', 'examples'].includes(key) ? value : this.schema(value, around);
  }
}

/** Returns the schema at a JSON pointer: `#/$defs/name`. Undefined for a pointer to nothing or to another document. */
function definition(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) {
    return undefined;
  }
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<Json | undefined>((at, key) => {
    const name = decoded(key).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) {
      return (at as readonly Json[])[Number(name)];
    }
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (thrown) {
    if (thrown instanceof URIError) {
      // The server did not encode the key.
      return key;
    }
    throw thrown;
  }
}
