import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isTrue, items, member, parseWireJson, stringMember, wireText } from '../../support/cachingServer/wireJson.js';

const normalized = (text: string): string => wireText(parseWireJson(text), []);

describe('JSON as it came over the wire', () => {
  it('keeps the order of keys, also of those that look like integers', () => {
    assert.equal(normalized('{"b": 1, "2": 2, "1": 3}'), '{"b":1,"2":2,"1":3}');
  });

  it('keeps the spelling of numbers', () => {
    assert.equal(normalized('[1.0, 1e3, 12345678901234567890, -0]'), '[1.0,1e3,12345678901234567890,-0]');
  });

  it('does not tell white space and escapes apart', () => {
    assert.equal(normalized(' { "a" :\n[ "\\u0041\\"" , true ,null ] } '), '{"a":["A\\"",true,null]}');
    assert.equal(normalized('[ ]'), '[]');
    assert.equal(normalized('{ }'), '{}');
  });

  it('leaves out named members of the node itself, not of those inside', () => {
    const node = parseWireJson('{"a":{"mark":1},"mark":2}');
    assert.equal(wireText(node, ['mark']), '{"a":{"mark":1}}');
  });

  it('says of what is not there, or null, that it is not there', () => {
    const node = parseWireJson('{"a":null,"b":"text","c":[1],"d":true,"e":"true"}');
    assert.deepEqual([member(node, 'a'), member(node, 'x'), member(undefined, 'b')], [undefined, undefined, undefined]);
    assert.deepEqual([stringMember(node, 'b'), stringMember(node, 'c')], ['text', undefined]);
    assert.deepEqual([items(node, 'c').length, items(node, 'b').length], [1, 0]);
    assert.deepEqual([isTrue(node, 'd'), isTrue(node, 'e'), isTrue(node, 'a')], [true, false, false]);
  });

  it('refuses what is not JSON', () => {
    for (const text of ['', '{', '{"a":1,}', '01', '"\n"', '[1] 2']) {
      assert.throws(() => parseWireJson(text), SyntaxError, text);
    }
  });

  it('says the same as JSON.parse of any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        assert.deepEqual(JSON.parse(normalized(spaced)), JSON.parse(text));
        assert.equal(normalized(spaced), JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
