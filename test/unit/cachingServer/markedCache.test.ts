import assert from 'node:assert/strict';
import { MarkedCache } from '../../support/cachingServer/markedCache.js';
import type { Prompt, Ttl } from '../../support/cachingServer/prompt.js';

const RULES = { minimumTokens: 0, lookback: 20, toolRunsShareAPosition: true };

function prompt(mark: Ttl): Prompt {
  const block = { level: 'messages', run: null, opening: 'user', text: 'same', tokens: 10, mark, path: '0' } as const;
  return { blocks: [block], parameters: { tools: '', system: '', messages: '' }, tail: 0 };
}

describe('the cache with marks', () => {
  it('keeps the longer life of two entries that were written at the same time', () => {
    for (const order of [
      ['1h', '5m'],
      ['5m', '1h'],
    ] as const) {
      const cache = new MarkedCache();
      const pending = order.map((ttl) => cache.use(prompt(ttl), 'owner', RULES, 0));
      assert.deepEqual(
        pending.map(({ use }) => use.read),
        [0, 0],
      );
      pending.forEach((one) => {
        one.begin();
      });
      assert.equal(cache.use(prompt('5m'), 'owner', RULES, 3_600_000).use.read, 10, order.join());
      // A refresh gives an hour's entry another hour, whatever the mark says.
      cache.use(prompt('5m'), 'owner', RULES, 3_600_000).begin();
      assert.equal(cache.use(prompt('5m'), 'owner', RULES, 7_200_000).use.read, 10, order.join());
    }
  });
});
