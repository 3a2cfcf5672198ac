import assert from 'node:assert/strict';
import { type RequestInModel, switchingText } from '../../../src/host/models/providers/modelMenu.js';

const HERE: RequestInModel = {
  price: { inputCost: 0.0389, replyCost: 0.01, bound: null },
  ...{ isPretended: false, read: 34_000, written: 2_700, fresh: 8 },
};
const THERE: RequestInModel = {
  price: { inputCost: 0.1377, replyCost: 0.02, bound: '≈' },
  ...{ isPretended: false, read: 0, written: 36_700, fresh: 8 },
};

describe('what it costs to go on with another model', () => {
  it('is the price of the next request there and here, and what that model caches again', () => {
    assert.equal(switchingText(THERE, HERE), 'Next request ≈ $0.16 with reply, now ≈ $0.049 · ≈ 36,700 tokens to cache again');
  });

  it('is the price without a reply before the first one, and may be a lower bound', () => {
    const [here, there] = [HERE, THERE].map((each) => ({ ...each, price: { inputCost: 0.04, replyCost: null, bound: '≥' } as const }));
    assert.equal(switchingText(there, here), 'Next request ≥ $0.0400 + reply, now ≥ $0.0400 · ≈ 36,700 tokens to cache again');
  });

  it('is the input alone where that model caches nothing, and no price where it has none', () => {
    const uncached = { ...THERE, written: 0, fresh: 36_708 };
    assert.equal(switchingText(uncached, HERE), 'Next request ≈ $0.16 with reply, now ≈ $0.049 · ≈ 36,708 uncached tokens');
    assert.equal(switchingText({ ...uncached, price: null }, HERE), 'Next request: ≈ 36,708 uncached tokens');
  });

  it('is nothing where the cache holds nothing of the chat, and for a model that is gone', () => {
    assert.equal(switchingText(THERE, { ...HERE, read: 0 }), null);
    assert.equal(switchingText(undefined, HERE), null);
  });
});
