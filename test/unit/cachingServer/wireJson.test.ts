import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWireJson, wireText } from '../../support/cachingServer/wireJson.js';
import { forAll } from '../../support/forAll.js';

const normalized = (text: string): string => wireText(parseWireJson(text), []);

describe('JSON as it came over the wire', () => {
  it('keeps the order of keys, also of those that look like integers', () => {
    assert.equal(normalized('{"b": 1, "2": 2, "1": 3}'), '{"b":1,"2":2,"1":3}');
  });

  it('keeps the spelling of numbers', () => {
    assert.equal(normalized('[1.0, 1e3, 12345678901234567890, -0]'), '[1.0,1e3,12345678901234567890,-0]');
  });

  it('leaves out named members of the node itself, not of those inside', () => {
    const node = parseWireJson('{"a":{"mark":1},"mark":2}');
    assert.equal(wireText(node, ['mark']), '{"a":{"mark":1}}');
  });

  it('says the same as JSON.parse of any JSON', () => {
    forAll(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      assert.deepEqual(JSON.parse(normalized(spaced)), JSON.parse(text));
      assert.equal(normalized(spaced), JSON.stringify(JSON.parse(text)));
    });
  });
});
