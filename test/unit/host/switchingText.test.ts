import assert from 'node:assert/strict';
import { switchingText } from '../../../src/host/models/providers/modelMenu.js';
import { OPEN_MODEL } from '../../support/engine/models.js';

describe('what it costs to go on with another model', () => {
  const replyCost = (): number => 0.02;
  const staying = { tokens: 36_708, read: 34_000, price: { inputCost: 0.0389, replyCost: 0.01, bound: null }, replyCost } as const;

  it('is the price with the whole prompt written to the cache of that model, and a reply at its price', () => {
    const words = 'Next request ≈ $0.16 with reply, now ≈ $0.049 · ≈ 36,708 tokens to cache again';
    assert.equal(switchingText(staying, OPEN_MODEL), words);
  });

  it('is the price without a reply before the first one', () => {
    const first = { ...staying, price: { ...staying.price, replyCost: null }, replyCost: () => null };
    assert.equal(switchingText(first, OPEN_MODEL), 'Next request ≈ $0.1377 + reply, now $0.0389 · ≈ 36,708 tokens to cache again');
  });

  it('is the input alone where that model is not asked to cache, and no price where it has none', () => {
    const capabilities = { ...OPEN_MODEL.capabilities, cache: { kind: 'none' } } as const;
    assert.equal(
      switchingText(staying, { ...OPEN_MODEL, capabilities }),
      'Next request ≈ $0.13 with reply, now ≈ $0.049 · ≈ 36,708 uncached tokens',
    );
    assert.equal(
      switchingText({ ...staying, price: null }, { ...OPEN_MODEL, prices: null }),
      'Next request: ≈ 36,708 tokens to cache again',
    );
  });

  it('is nothing where the cache holds nothing of the chat', () => {
    assert.equal(switchingText({ ...staying, read: 0 }, OPEN_MODEL), null);
  });
});
