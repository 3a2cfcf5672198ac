import assert from 'node:assert/strict';
import { figureValue, type Usage } from '../../../src/engine/accounting/usage.js';
import { normalizeUsage } from '../../../src/providers/openaiCompatible/usage.js';

/** Uncached input, read, written, output. */
function figures(usage: Usage | null): (number | null)[] | null {
  return usage === null
    ? null
    : [usage.promptTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens, usage.completionTokens].map(figureValue);
}

const plain = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
const withDetails = (details: object): object => ({ ...plain, prompt_tokens_details: details });

describe('the usage of a compatible server', () => {
  it('is reported, not estimated', () => {
    assert.deepEqual(normalizeUsage(withDetails({ cached_tokens: 60, cache_write_tokens: 30 }), false), {
      promptTokens: { value: 10, source: 'reported' },
      cacheReadInputTokens: { value: 60, source: 'reported' },
      cacheCreationInputTokens: { value: 30, source: 'reported' },
      cacheCreation: null,
      completionTokens: { value: 7, source: 'reported' },
    });
  });

  it('leaves the cache unknown when the server does not speak of it', () => {
    assert.deepEqual(figures(normalizeUsage(plain, false)), [100, null, null, 7]);
    assert.deepEqual(figures(normalizeUsage({ ...plain, prompt_tokens_details: null }, false)), [100, null, null, 7]);
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: null }), false)), [100, null, null, 7]);
  });

  it('counts nothing written where an automatic cache tells what it read', () => {
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 64 }), false)), [36, 64, 0, 7]);
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 0 }), false)), [100, 0, 0, 7]);
    assert.deepEqual(figures(normalizeUsage({ ...plain, prompt_cache_hit_tokens: 64 }, false)), [36, 64, 0, 7]);
  });

  it('does not take silence about writes for none where writes are billed', () => {
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 64 }), true)), [36, 64, null, 7]);
    assert.deepEqual(
      figures(normalizeUsage({ ...withDetails({ cached_tokens: 64 }), cache_creation_input_tokens: 6 }, true)),
      [30, 64, 6, 7],
    );
  });

  it('takes nonsense for unknown', () => {
    for (const nonsense of [-1, 1.5, '64', true, Number.MAX_VALUE, [], {}]) {
      assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: nonsense }), false)), [100, null, null, 7]);
      assert.deepEqual(figures(normalizeUsage({ ...plain, prompt_tokens: nonsense }, false)), [null, null, null, 7]);
      assert.deepEqual(figures(normalizeUsage({ ...plain, completion_tokens: nonsense }, false)), [100, null, null, null]);
      assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 64, cache_write_tokens: nonsense }), false)), [36, 64, null, 7]);
    }
  });

  it('believes no cache that is larger than the input', () => {
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 101 }), false)), [100, null, null, 7]);
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 60, cache_write_tokens: 41 }), false)), [100, null, null, 7]);
    assert.deepEqual(figures(normalizeUsage(withDetails({ cached_tokens: 60, cache_write_tokens: 40 }), false)), [0, 60, 40, 7]);
  });

  it('is none at all when it holds no figure', () => {
    for (const nothing of [null, undefined, {}, [], 'many', 3, { prompt_tokens: 'many' }]) {
      assert.equal(normalizeUsage(nothing, false), null);
    }
  });
});
