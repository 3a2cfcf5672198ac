import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import type { JsonObject } from '../../../src/engine/json.js';
import { reportedInput } from '../../../src/engine/tokens/calibration.js';
import { normalizedUsage } from '../../../src/providers/anthropic/usage.js';
import { laterUsage } from '../../../src/providers/laterUsage.js';
import { column } from '../../support/columns.js';
import { reported } from './support.js';

const WHOLE = {
  input_tokens: 10,
  cache_read_input_tokens: 20,
  cache_creation_input_tokens: 30,
  cache_creation: { ephemeral_5m_input_tokens: 12, ephemeral_1h_input_tokens: 18 },
  output_tokens: 40,
};

const OVER = { isComplete: true, takesBreakpoints: true };

describe('usage of the Messages API', () => {
  it('takes the figures as they are: the input is already without the cached parts', () => {
    assert.deepEqual(normalizedUsage(WHOLE, OVER), {
      promptTokens: reported(10),
      cacheReadInputTokens: reported(20),
      cacheCreationInputTokens: reported(30),
      cacheCreation: { fiveMinutes: 12, oneHour: 18 },
      completionTokens: reported(40),
    });
  });

  it('knows a real zero', () => {
    assert.deepEqual(normalizedUsage({ ...WHOLE, cache_read_input_tokens: 0 }, OVER).cacheReadInputTokens, reported(0));
  });

  it('has no output before the reply is counted', () => {
    assert.equal(normalizedUsage(WHOLE, { ...OVER, isComplete: false }).completionTokens, null);
  });

  it('has written 0 where a server reports reads and no writes, and the model takes no breakpoints', () => {
    const { cache_creation_input_tokens: _, cache_creation: __, ...automatic } = WHOLE;
    const written = (raw: JsonObject, takesBreakpoints: boolean): unknown =>
      normalizedUsage(raw, { isComplete: true, takesBreakpoints }).cacheCreationInputTokens;
    assert.deepEqual(written(automatic, false), reported(0));
    assert.equal(written(automatic, true), null);
    assert.equal(written({ input_tokens: 10, output_tokens: 2 }, false), null);
    assert.equal(written({ ...automatic, cache_creation_input_tokens: 'many' }, false), null);
  });

  it('is the sum of the requests that the API made of one, each priced alone', () => {
    const one = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const raw = {
      ...{ input_tokens: 23_000, output_tokens: 1_000, ...one },
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500, ...one },
        { type: 'message', model: 'claude-test', input_tokens: 23_000, output_tokens: 1_000, ...one },
      ],
    };
    const usage = normalizedUsage(raw, OVER);
    assert.deepEqual([usage.promptTokens, usage.completionTokens, usage.iterations?.length], [reported(203_000), reported(4_500), 2]);
    const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
    const prices = { ...rates, longPrompts: [{ ...rates, above: 200_000, input: 6 }] };
    const cost = costOf(usage, prices);
    assert.deepEqual([cost?.usd.toFixed(6), cost?.atLeast], [((203_000 * 3 + 4_500 * 15) / 1e6).toFixed(6), false]);
    assert.equal(reportedInput(usage), null);
  });

  it('costs at least what is known where another model answered a part', () => {
    const one = { input_tokens: 1_000, output_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const iterations = [
      { type: 'message', ...one },
      { type: 'advisor_message', model: 'claude-large', ...one },
    ];
    const usage = normalizedUsage({ ...one, iterations }, OVER);
    assert.deepEqual(column(usage.iterations, 'model'), [undefined, 'claude-large']);
    const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
    assert.deepEqual(costOf(usage, rates), { usd: 0.0045, atLeast: true });
  });

  it('is as at the top where the API made one request', () => {
    const { iterations, promptTokens } = normalizedUsage({ ...WHOLE, iterations: [{ type: 'message', ...WHOLE }] }, OVER);
    assert.deepEqual([iterations, promptTokens], [undefined, reported(10)]);
    assert.deepEqual(normalizedUsage({ ...WHOLE, iterations: [] }, OVER), normalizedUsage(WHOLE, OVER));
    assert.deepEqual(normalizedUsage({ ...WHOLE, iterations: null }, OVER), normalizedUsage(WHOLE, OVER));
  });

  it('names the tier that has a price of its own', () => {
    const tier = (more: JsonObject): string | undefined => normalizedUsage({ ...WHOLE, ...more }, OVER).serviceTier;
    assert.equal(tier({ service_tier: 'standard', speed: 'standard', inference_geo: 'global' }), undefined);
    assert.equal(tier({ service_tier: 'priority' }), 'priority');
    assert.equal(tier({ service_tier: 'batch', speed: null, inference_geo: 'not_available' }), 'batch');
    assert.equal(tier({ service_tier: 'standard', speed: 'fast', inference_geo: 'us' }), 'fast + us');
    assert.equal(tier({ service_tier: 7 }), undefined);
    assert.equal(tier({ service_tier: 'x'.repeat(1_000) })?.length, 60);
  });

  it('says unknown for everything that is missing', () => {
    assert.deepEqual(normalizedUsage({}, OVER), {
      promptTokens: null,
      cacheReadInputTokens: null,
      cacheCreationInputTokens: null,
      cacheCreation: null,
      completionTokens: null,
    });
  });

  for (const nonsense of [-1, 1.5, '7', null, true, [3], { value: 3 }, 2 ** 53]) {
    it(`says unknown for ${JSON.stringify(nonsense)} tokens, and keeps the other figures`, () => {
      const usage = normalizedUsage({ ...WHOLE, input_tokens: nonsense, output_tokens: nonsense }, OVER);
      assert.equal(usage.promptTokens, null);
      assert.equal(usage.completionTokens, null);
      assert.deepEqual(usage.cacheReadInputTokens, reported(20));
    });
  }

  it('says unknown for figures that JSON cannot even hold', () => {
    assert.equal(normalizedUsage({ input_tokens: NaN }, OVER).promptTokens, null);
    assert.equal(normalizedUsage({ input_tokens: Infinity }, OVER).promptTokens, null);
  });

  const splits: readonly (readonly [string, JsonObject[string]])[] = [
    ['exceeds the whole', { ephemeral_5m_input_tokens: 31, ephemeral_1h_input_tokens: 0 }],
    ['leaves a part out', { ephemeral_5m_input_tokens: 12, ephemeral_1h_input_tokens: 0 }],
    ['is negative in one part', { ephemeral_5m_input_tokens: 31, ephemeral_1h_input_tokens: -1 }],
    ['lacks a part', { ephemeral_5m_input_tokens: 30 }],
    ['is no object', [12, 18]],
  ];
  for (const [what, split] of splits) {
    it(`keeps the written tokens without a split that ${what}`, () => {
      const usage = normalizedUsage({ ...WHOLE, cache_creation: split }, OVER);
      assert.equal(usage.cacheCreation, null);
      assert.deepEqual(usage.cacheCreationInputTokens, reported(30));
    });
  }

  it('believes the last report also where its figures are smaller: each is of the whole reply', () => {
    const merged = laterUsage(WHOLE, { input_tokens: 4, output_tokens: 3 });
    const { promptTokens, completionTokens, cacheReadInputTokens } = normalizedUsage(merged, OVER);
    assert.deepEqual([promptTokens, completionTokens, cacheReadInputTokens], [reported(4), reported(3), reported(20)]);
    assert.deepEqual(laterUsage(merged, { input_tokens: 4, output_tokens: 3 }), merged);
  });

  it('lets a later report replace what it tells, and nothing else', () => {
    const merged = laterUsage(WHOLE, { input_tokens: null, output_tokens: 50, server_tool_use: { web_search_requests: 1 } });
    assert.deepEqual(merged, { ...WHOLE, output_tokens: 50, server_tool_use: { web_search_requests: 1 } });
    assert.deepEqual(laterUsage(WHOLE, { input_tokens: 0, output_tokens: 0 }), WHOLE, 'a zero erases nothing');
    assert.deepEqual(laterUsage(WHOLE, { input_tokens: -3, output_tokens: -1 }), WHOLE, 'nor does what cannot be');
    assert.deepEqual(laterUsage({ input_tokens: -3 }, { input_tokens: 8 }), { input_tokens: 8 });
  });
});
