import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson, type Json } from '../../src/engine/json.js';
import { CODE_POINT } from '../support/codePoint.js';
import { canonical } from '../support/engine/wireRules.js';
import { forAll } from '../support/forAll.js';

const anyJson = fc.jsonValue({ stringUnit: CODE_POINT }) as fc.Arbitrary<Json>;

function reordered(value: Json): Json {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map(reordered);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const members = Object.entries(value).reverse();
  return members.reduce<Record<string, Json>>((copy, [name, member]) => {
    Object.defineProperty(copy, name, { value: reordered(member), enumerable: true, configurable: true, writable: true });
    return copy;
  }, {});
}

describe('canonical JSON, of any value', () => {
  it('does not depend on the order of members', () => {
    forAll(anyJson, (value) => {
      assert.equal(canonicalJson(reordered(value)), canonicalJson(value));
    });
  });

  it('is JSON of the same value', () => {
    forAll(anyJson, (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    });
  });

  it('is what its definition says', () => {
    forAll(anyJson, (value) => {
      assert.equal(canonicalJson(value), canonical(value));
    });
  });

  it('differs for different values', () => {
    forAll(anyJson, anyJson, (a, b) => {
      assert.equal(canonicalJson(a) === canonicalJson(b), canonical(a) === canonical(b));
    });
  });
});
