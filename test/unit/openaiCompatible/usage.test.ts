import assert from 'node:assert/strict';
import { figureValue, type Usage } from '../../../src/engine/model/usage.js';
import { normalizeUsage } from '../../../src/providers/openaiCompatible/usage.js';

/** Uncached input, cache read, cache write, output. */
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

  it('has what was written by lifetime, where that adds up', () => {
    const written = (split: object): Usage['cacheCreation'] | undefined =>
      normalizeUsage(withDetails({ cached_tokens: 60, cache_creation_tokens: 30, cache_creation_token_details: split }), true)
        ?.cacheCreation;
    assert.deepEqual(written({ ephemeral_5m_input_tokens: 12, ephemeral_1h_input_tokens: 18 }), { fiveMinutes: 12, oneHour: 18 });
    assert.equal(written({ ephemeral_5m_input_tokens: 12, ephemeral_1h_input_tokens: 30 }), null);
    assert.equal(written({ ephemeral_1h_input_tokens: 30 }), null);
    const passedOn = { cache_creation_input_tokens: 30, cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 30 } };
    assert.deepEqual(normalizeUsage({ ...plain, ...passedOn }, true)?.cacheCreation, { fiveMinutes: 0, oneHour: 30 });
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

  it('has reasoning that is billed in its output, counted within it or apart', () => {
    const reasoning = (tokens: number, total: number): object => ({
      ...plain,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: tokens },
    });
    assert.deepEqual(figures(normalizeUsage(reasoning(5, 107), false)), [100, null, null, 7], 'within');
    assert.deepEqual(figures(normalizeUsage(reasoning(50, 157), false)), [100, null, null, 57], 'apart, as the total says');
    assert.deepEqual(figures(normalizeUsage({ ...plain, total_tokens: 157 }, false)), [100, null, null, 57], 'in the total alone');
    assert.deepEqual(figures(normalizeUsage(reasoning(50, 0), false)), [100, null, null, 57], 'more than the output cannot be within');
    assert.deepEqual(figures(normalizeUsage(reasoning(8, 107), false)), [100, null, null, 7], 'but the total has the last word');
    assert.deepEqual(
      figures(normalizeUsage({ ...plain, total_tokens: 3 }, false)),
      [100, null, null, 7],
      'a total that is too small says nothing',
    );
  });

  it('has cached input beside its input where the total says so', () => {
    const apart = { ...plain, total_tokens: 167, cache_read_input_tokens: 50, cache_creation_input_tokens: 10 };
    assert.deepEqual(figures(normalizeUsage(apart, false)), [100, 50, 10, 7]);
    assert.deepEqual(figures(normalizeUsage({ ...apart, total_tokens: 107 }, false)), [40, 50, 10, 7]);
  });

  it('finds cached input under each of its names', () => {
    for (const name of ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens', 'num_cached_tokens']) {
      assert.deepEqual(figures(normalizeUsage({ ...withDetails({ cached_tokens: 0 }), [name]: 64 }, false)), [36, 64, 0, 7], name);
    }
  });

  it('does not know an input of 0, for a prompt was sent', () => {
    assert.equal(normalizeUsage({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, false), null);
    assert.deepEqual(figures(normalizeUsage({ prompt_tokens: 0, completion_tokens: 7 }, false)), [null, null, null, 7]);
  });

  it('tells that more is billed than tokens', () => {
    for (const more of [{ num_sources_used: 2 }, { server_tool_use: { web_search_requests: 1 } }, { num_search_queries: 1 }]) {
      assert.equal(normalizeUsage({ ...plain, ...more }, false)?.isMoreBilled, true);
    }
    assert.equal(normalizeUsage({ ...plain, num_sources_used: 0 }, false)?.isMoreBilled, undefined);
  });

  it('has what the server says it charged, where that is in dollars and all of it', () => {
    const tokens = { prompt_tokens: 10, completion_tokens: 2 };
    const charged = (more: object): number | undefined => normalizeUsage({ ...tokens, ...more }, false)?.charged;
    assert.equal(charged({ cost_in_usd_ticks: 37_756_000 }), 0.0037756);
    const credits = { cost: 0.02, is_byok: false, cost_details: { upstream_inference_cost: null } };
    assert.equal(charged(credits), 0.02);
    for (const other of [
      { cost_in_usd_ticks: 0 },
      { cost_in_usd_ticks: -1 },
      { ...credits, is_byok: true },
      { ...credits, cost: 0 },
      { ...credits, cost: -0.02 },
      { ...credits, cost: '0.02' },
      { cost: 0.02 },
      { cost: { total_cost: 0.02 }, is_byok: false, cost_details: {} },
    ]) {
      assert.equal(charged(other), undefined, JSON.stringify(other));
    }
  });

  it('is none at all when it holds no figure', () => {
    for (const nothing of [null, undefined, {}, [], 'many', 3, { prompt_tokens: 'many' }]) {
      assert.equal(normalizeUsage(nothing, false), null);
    }
  });
});
