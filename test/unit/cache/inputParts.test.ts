import assert from 'node:assert/strict';
import { inputParts } from '../../../src/engine/model/inputParts.js';
import { usage } from '../../support/engine/events.js';

describe('what the cache did with the parts of a request', () => {
  it('is that the first ones were read, then some written, then the rest was fresh', () => {
    assert.deepEqual(inputParts([10, 20, 30], usage(25, 15, 20, 7)), [
      { read: 10, written: 0, fresh: 0 },
      { read: 5, written: 15, fresh: 0 },
      { read: 0, written: 5, fresh: 25 },
    ]);
  });

  it('is in proportion where the provider counts other tokens', () => {
    assert.deepEqual(inputParts([100, 100], usage(30, 10, 0, 7)), [
      { read: 50, written: 0, fresh: 50 },
      { read: 0, written: 0, fresh: 100 },
    ]);
  });

  it('is unknown where the input is, and all fresh where there is no cache', () => {
    const none = usage(40, 0, 0, 7);
    assert.equal(inputParts([1], { ...none, promptTokens: null }), null);
    assert.equal(inputParts([1], usage(0, 0, 0, 7)), null, 'zeros for a prompt that was sent');
    const uncached = { ...none, cacheReadInputTokens: null, cacheCreationInputTokens: null };
    assert.deepEqual(inputParts([4], uncached), [{ read: 0, written: 0, fresh: 4 }]);
  });
});
