import assert from 'node:assert/strict';
import { type PricedContent, priceReasons } from '../../../src/engine/accounting/priceReasons.js';

const CONTENT: PricedContent = { tokens: 50_000, read: 10_000, expired: 0, isOtherModel: false, parts: [] };

const part = (name: string, newTokens: number) => ({ name, tokens: newTokens, newTokens });

describe('the reasons of a high price', () => {
  it('are the largest new parts, each at least a tenth of what is not read from the cache, and at most two', () => {
    const parts = [part('a.ts', 3_999), part('b.ts', 4_000), part('c.ts', 9_000), part('app.log', 24_000)];
    assert.deepEqual(priceReasons({ ...CONTENT, parts }), [
      { kind: 'part', name: 'app.log', tokens: 24_000 },
      { kind: 'part', name: 'c.ts', tokens: 9_000 },
    ]);
    const [, second] = priceReasons({ ...CONTENT, parts: [part('app.log', 24_000), part('b.ts', 4_000)] });
    assert.deepEqual(second, { kind: 'part', name: 'b.ts', tokens: 4_000 });
    assert.equal(priceReasons({ ...CONTENT, parts: parts.slice(0, 1).concat(part('app.log', 24_000)) }).length, 1);
  });

  it('count only the new tokens of a part that grew', () => {
    const grown = { name: 'tool results', tokens: 30_000, newTokens: 8_000 };
    assert.deepEqual(priceReasons({ ...CONTENT, parts: [grown] }), [{ kind: 'part', name: 'tool results', tokens: 8_000 }]);
  });

  it('begin with another model and an expired cache', () => {
    const all = priceReasons({ ...CONTENT, expired: 20_000, isOtherModel: true, parts: [part('app.log', 24_000)] });
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ['otherModel', 'expired', 'part'],
    );
    assert.deepEqual(priceReasons({ ...CONTENT, expired: 20_000 }), [{ kind: 'expired' }]);
    assert.deepEqual(priceReasons({ ...CONTENT, expired: 3_999 }), [], 'too little expired');
  });

  it('are the largest part where nothing is new', () => {
    const old = { name: 'earlier messages', tokens: 40_000, newTokens: 0 };
    const parts = [{ name: 'system prompt', tokens: 900, newTokens: 0 }, old];
    assert.deepEqual(priceReasons({ ...CONTENT, parts }), [{ kind: 'part', name: 'earlier messages', tokens: 40_000 }]);
    assert.deepEqual(priceReasons({ ...CONTENT, parts: [] }), []);
  });
});
