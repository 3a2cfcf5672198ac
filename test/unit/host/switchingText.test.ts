import assert from 'node:assert/strict';
import { switchingText } from '../../../src/host/models/providers/modelMenu.js';
import { OPEN_MODEL } from '../../support/engine/models.js';

describe('what it costs to go on with another model', () => {
  const staying = { tokens: 36_708, read: 34_000, cost: 0.0389 };

  it('is the whole prompt, written to the cache of that model', () => {
    const words = 'Next request: ≈ 36,708 tokens to cache again, ≈ $0.1377 ($0.0389 with the current model)';
    assert.equal(switchingText(staying, OPEN_MODEL), words);
  });

  it('is the input alone where that model is not asked to cache, and no price where it has none', () => {
    const capabilities = { ...OPEN_MODEL.capabilities, cache: { kind: 'none' } } as const;
    assert.equal(
      switchingText(staying, { ...OPEN_MODEL, capabilities }),
      'Next request: ≈ 36,708 uncached tokens, ≈ $0.1101 ($0.0389 with the current model)',
    );
    assert.equal(
      switchingText({ ...staying, cost: null }, { ...OPEN_MODEL, prices: null }),
      'Next request: ≈ 36,708 tokens to cache again',
    );
  });

  it('is nothing where the cache holds nothing of the chat', () => {
    assert.equal(switchingText({ ...staying, read: 0 }, OPEN_MODEL), null);
  });
});
