import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/engine/json.js';
import type { ToolSchemaRule } from '../../../src/engine/model/model.js';
import { sentSchema } from '../../../src/engine/request/adapt/toolSchema.js';
import { ANTHROPIC_CAPABILITIES } from '../../../src/providers/anthropic/defaults.js';
import { OPENAI_COMPATIBLE_CAPABILITIES } from '../../../src/providers/openaiCompatible/defaults.js';

const ANTHROPIC = ANTHROPIC_CAPABILITIES.toolSchemas;
const COMPLETIONS = OPENAI_COMPATIBLE_CAPABILITIES.toolSchemas;

function sent(schema: Json, rule: ToolSchemaRule): Json {
  const result = sentSchema(schema, rule);
  return 'schema' in result ? result.schema : { refused: true };
}

const object = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const TEXT = { type: 'string' };
const COUNT = { type: 'integer' };

describe('the schema of a tool in a request', () => {
  it('is the same object where it needs no change', () => {
    const schema = { ...object({ path: TEXT, list: { type: 'array', items: TEXT } }, 'path'), additionalProperties: false };
    assert.equal(sent(schema, ANTHROPIC), schema);
    assert.equal(sent(schema, COMPLETIONS), schema);
    const withDefinitions = { ...object({ a: { $ref: '#/$defs/a' } }), $defs: { a: TEXT } };
    assert.equal(sent(withDefinitions, ANTHROPIC), withDefinitions, 'Anthropic accepts references');
  });

  it('is refused if it is nested too deeply to be read', () => {
    let schema: JsonObject = TEXT;
    for (let level = 0; level < 20_000; level += 1) schema = object({ a: schema });
    for (const rule of [ANTHROPIC, COMPLETIONS]) assert.deepEqual(sent(schema, rule), { refused: true });
  });

  it('has properties for each object and items for each array', () => {
    for (const rule of [ANTHROPIC, COMPLETIONS]) {
      assert.deepEqual(sent({ type: 'object' }, rule), { type: 'object', properties: {} });
      assert.deepEqual(
        sent(object({ list: { type: 'array' }, deep: { anyOf: [{ type: 'array' }, { type: 'object' }] } }), rule),
        object({
          list: { type: 'array', items: {} },
          deep: {
            anyOf: [
              { type: 'array', items: {} },
              { type: 'object', properties: {} },
            ],
          },
        }),
      );
      assert.deepEqual(sent(object({ properties: { type: 'array' } }), rule), object({ properties: { type: 'array', items: {} } }));
    }
    assert.deepEqual(
      sent(object({ pair: { type: 'array', items: [TEXT, COUNT] } }), ANTHROPIC),
      object({ pair: { type: 'array', items: { anyOf: [TEXT, COUNT] } } }),
    );
  });

  it('has properties and items for each type of a list, and items besides prefixItems', () => {
    for (const rule of [ANTHROPIC, COMPLETIONS]) {
      assert.deepEqual(
        sent(object({ one: { type: ['string', 'array'] }, two: { type: ['object', 'null'] } }), rule),
        object({ one: { type: ['string', 'array'], items: {} }, two: { type: ['object', 'null'], properties: {} } }),
      );
      assert.deepEqual(
        sent(object({ pair: { type: 'array', prefixItems: [TEXT, { type: 'array' }] } }), rule),
        object({ pair: { type: 'array', prefixItems: [TEXT, { type: 'array', items: {} }], items: {} } }),
      );
      const closed = object({ pair: { type: 'array', prefixItems: [TEXT, COUNT], items: false } });
      assert.equal(sent(closed, rule), closed);
    }
  });

  it('has numbers in place of the boolean bounds of draft 4', () => {
    for (const rule of [ANTHROPIC, COMPLETIONS]) {
      assert.deepEqual(
        sent(
          object({
            ttl: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
            list: { type: 'array', items: { type: 'number', maximum: 1, exclusiveMaximum: true } },
            free: { type: 'number', exclusiveMinimum: true },
            exclusiveMinimum: { type: 'boolean' },
          }),
          rule,
        ),
        object({
          ttl: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
          list: { type: 'array', items: { type: 'number', exclusiveMaximum: 1 } },
          free: { type: 'number' },
          exclusiveMinimum: { type: 'boolean' },
        }),
      );
      const newer = object({ ttl: { type: 'integer', exclusiveMinimum: 0 } });
      assert.equal(sent(newer, rule), newer);
    }
  });

  it('merges oneOf, anyOf and allOf at the top', () => {
    const [byPath, byId] = [object({ path: TEXT, depth: COUNT }, 'path', 'depth'), object({ id: COUNT, depth: TEXT }, 'id', 'depth')];
    for (const rule of [ANTHROPIC, COMPLETIONS]) {
      for (const union of ['oneOf', 'anyOf']) {
        assert.deepEqual(sent({ type: 'object', description: 'One of two.', [union]: [byPath, byId, { type: 'null' }] }, rule), {
          type: 'object',
          description: 'One of two.',
          properties: { path: TEXT, depth: { anyOf: [COUNT, TEXT] }, id: COUNT },
          required: ['depth'],
        });
      }
      assert.deepEqual(
        sent({ allOf: [byPath, object({ id: COUNT }, 'id')] }, rule),
        object({ path: TEXT, depth: COUNT, id: COUNT }, 'path', 'depth', 'id'),
      );
      const required = { ...object({ a: TEXT, b: TEXT }), anyOf: [{ required: ['a'] }, { required: ['b'] }] };
      assert.deepEqual(sent(required, rule), object({ a: TEXT, b: TEXT }));
    }
    const defined = { anyOf: [{ $ref: '#/$defs/path' }, { oneOf: [byId] }], $defs: { path: byPath } };
    assert.deepEqual(Object.keys((sent(defined, ANTHROPIC) as JsonObject)['properties'] as JsonObject), ['path', 'depth', 'id']);
  });

  it('makes a tool unusable that accepts no object', () => {
    for (const schema of [
      { type: 'string' },
      { anyOf: [TEXT, COUNT] },
      { allOf: [object({}), TEXT] },
      'object',
      null,
      { $ref: '#/none' },
    ]) {
      assert.deepEqual(sentSchema(schema, ANTHROPIC), { refused: 'form' });
    }
  });

  it('has its definitions in place of references, in a fixed order, for servers that refuse references', () => {
    const schema = {
      ...object({ a: { $ref: '#/$defs/pair', description: 'The first.' }, $ref: TEXT }),
      $defs: { pair: object({ left: { $ref: '#/definitions/text~1plain' }, right: { $ref: '#/$defs/list' } }), list: { type: 'array' } },
      definitions: { 'text/plain': TEXT },
    };
    const pair = { ...object({ left: TEXT, right: { type: 'array', items: {} } }), description: 'The first.' };
    const expected = object({ a: pair, $ref: TEXT });
    assert.equal(JSON.stringify(sent(schema, COMPLETIONS)), JSON.stringify(expected));
    assert.equal(JSON.stringify(sent(structuredClone(schema), COMPLETIONS)), JSON.stringify(expected));
  });

  it('ends at a cycle of references', () => {
    const tree = object({ value: TEXT, children: { type: 'array', items: { $ref: '#/$defs/tree' } } });
    assert.deepEqual(sent({ ...object({ root: { $ref: '#/$defs/tree' } }), $defs: { tree } }, COMPLETIONS), {
      ...object({ root: object({ value: TEXT, children: { type: 'array', items: { type: 'object', properties: {} } } }) }),
    });
    assert.deepEqual(sent(object({ next: { $ref: '#' } }), COMPLETIONS), object({ next: { type: 'object', properties: {} } }));
    assert.deepEqual(sent(object({ lost: { $ref: 'https://example.com/schema' } }), COMPLETIONS), object({ lost: {} }));
  });

  it('makes a tool unusable whose definitions multiply without end', () => {
    const doubled = (next: string): JsonObject => object({ a: { $ref: next }, b: { $ref: next } });
    const definitions = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`d${String(at)}`, doubled(`#/$defs/d${String(at + 1)}`)]),
    );
    assert.deepEqual(sentSchema({ ...doubled('#/$defs/d0'), $defs: { ...definitions, d30: TEXT } }, COMPLETIONS), { refused: 'form' });
  });

  it('makes a tool unusable with names of arguments that the provider refuses', () => {
    assert.deepEqual(sentSchema(object({ top: TEXT, $top: COUNT }), ANTHROPIC), { refused: { argument: '$top' } });
    assert.deepEqual(sentSchema(object({ 'a name': TEXT }), ANTHROPIC), { refused: { argument: 'a name' } });
    const nested = object({ query: object({ $top: COUNT }) });
    assert.equal(sent(nested, ANTHROPIC), nested, 'the API checks only the top level');
    const own = object({ $top: COUNT });
    assert.equal(sent(own, COMPLETIONS), own);
  });
});
