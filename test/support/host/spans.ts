import assert from 'node:assert/strict';
import { isObject, type Json, type JsonObject } from '../../../src/engine/json.js';

/** A span of an OTLP/JSON file with plain attribute values. */
export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly status: JsonObject;
  readonly attributes: JsonObject;
}

/** Reads the spans of an export request as the protocol defines them. */
export function spansIn(bytes: Buffer): readonly ReadSpan[] {
  const request = JSON.parse(bytes.toString('utf8')) as {
    resourceSpans: { resource: { attributes: Json[] }; scopeSpans: { scope: { name: string }; spans: JsonObject[] }[] }[];
  };
  const [resource, ...others] = request.resourceSpans;
  assert.ok(resource !== undefined && others.length === 0);
  assert.deepEqual(plainAttributes(resource.resource.attributes), { 'service.name': 'loupe' });
  return resource.scopeSpans.flatMap(({ spans }) => spans.map(readSpan));
}

function readSpan(json: JsonObject): ReadSpan {
  const text = (name: string): string => {
    const value = json[name];
    assert.ok(typeof value === 'string', `${name} is a text`);
    return value;
  };
  assert.match(text('traceId'), /^[0-9a-f]{32}$/);
  assert.match(text('spanId'), /^[0-9a-f]{16}$/);
  return {
    traceId: text('traceId'),
    spanId: text('spanId'),
    name: text('name'),
    kind: Number(json['kind']),
    start: BigInt(text('startTimeUnixNano')),
    end: BigInt(text('endTimeUnixNano')),
    status: json['status'] as JsonObject,
    attributes: plainAttributes(json['attributes'] as Json[]),
  };
}

function plainAttributes(attributes: readonly Json[]): JsonObject {
  return Object.fromEntries(
    attributes.map((attribute) => {
      assert.ok(isObject(attribute) && typeof attribute['key'] === 'string');
      return [attribute['key'], plainValue(attribute['value'] as JsonObject)];
    }),
  );
}

function plainValue(value: JsonObject): Json {
  const [[type, content] = ['', null], ...more] = Object.entries(value);
  assert.equal(more.length, 0);
  switch (type) {
    case '':
      return null;
    case 'intValue':
      assert.ok(typeof content === 'string', 'an int64 is a string');
      return Number(content);
    case 'arrayValue':
      return ((content as JsonObject)['values'] as JsonObject[]).map(plainValue);
    case 'kvlistValue':
      return plainAttributes((content as JsonObject)['values'] as Json[]);
    default:
      assert.ok(['stringValue', 'boolValue', 'doubleValue'].includes(type), type);
      return content;
  }
}
