import assert from 'node:assert/strict';
import { chargeOf, type Prices } from '../../../src/engine/model/price.js';
import { isSameModel } from '../../../src/engine/run/sameModel.js';
import { ReplyingModel } from '../../../src/providers/answerer.js';
import { usage } from '../../support/engine/events.js';
import { END, RunRig, says } from '../../support/engine/runRig.js';

const PRICES: Prices = { input: 2, output: 10, cacheRead: 2, cacheWrite5m: 2, cacheWrite1h: 2 };
const MILLION = 1_000_000;

describe('a model that answers', () => {
  it('is the one that was asked with its version, or its vendor in front', () => {
    for (const [asked, answered] of [
      ['gpt-5', 'gpt-5-2025-08-07'],
      ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
      ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
      ['openai/gpt-5', 'gpt-5'],
      ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
      ['gemini-2.5-pro', 'models/gemini-2.5-pro-preview-05-06'],
      ['llama3', 'llama3:latest'],
      ['GPT-4', 'gpt-4-0613'],
    ] as const) {
      assert.ok(isSameModel(asked, answered), `${asked} ${answered}`);
    }
  });

  it('is another one with another name or size', () => {
    for (const [asked, answered] of [
      ['gpt-5', 'gpt-5-mini'],
      ['gpt-5', 'gpt-5-mini-2025-08-07'],
      ['gpt-4', 'gpt-4.1'],
      ['gpt-4', 'gpt-4-32k'],
      ['openrouter/auto', 'anthropic/claude-sonnet-4.5'],
      ['claude-opus-4-1', 'claude-sonnet-4-5'],
    ] as const) {
      assert.ok(!isSameModel(asked, answered), `${asked} ${answered}`);
    }
  });

  it('is named in the reports and at the end of the stream, but not by a resource of Azure, whose names are free', () => {
    const end = { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null } as const;
    const named = (baseUrl: string, ...ids: (string | null)[]): unknown => {
      const answerer = new ReplyingModel({ baseUrl }, 'auto');
      for (const id of ids) {
        answerer.take(id);
      }
      const part = answerer.named(end);
      return part.type === 'end' ? part.answeredBy : null;
    };
    assert.equal(named('https://router.example/v1', 'small', null, ''), 'small');
    assert.equal(named('https://router.example/v1', 'auto'), undefined);
    assert.equal(named('https://mine.openai.azure.com/openai/v1', 'gpt-5'), undefined);
  });

  it('is logged, and its own price counts; without one the cost is unknown', async () => {
    const used = usage(MILLION, 0, 0, MILLION);
    const answered = async (prices: Prices | null): Promise<unknown> => {
      const rig = new RunRig([says('Hello'), END]);
      rig.pricesOf = (id) => (id === 'small' ? prices : null);
      rig.stream = async function* stream() {
        await Promise.resolve();
        yield { type: 'text', index: 0, text: 'Hello' };
        yield { type: 'end', stopReason: 'end', usage: used, rawUsage: {}, responseId: null, answeredBy: 'small' };
      };
      const [ended] = (await rig.go()).ends;
      return [ended?.answeredBy, ended?.cost];
    };
    assert.deepEqual(await answered(PRICES), ['small', { usd: 12, atLeast: false }]);
    assert.deepEqual(await answered(null), ['small', null]);
  });

  it('has its own price in a part of a request', () => {
    const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, cacheCreation, completionTokens } = usage(MILLION, 0, 0, 0);
    const one = { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, cacheCreation, completionTokens };
    const used = { ...usage(2 * MILLION, 0, 0, 0), iterations: [one, { ...one, model: 'large' }] };
    assert.deepEqual(
      chargeOf(used, PRICES, () => ({ ...PRICES, input: 20 })),
      { usd: 22, atLeast: false },
    );
    assert.deepEqual(
      chargeOf(used, PRICES, () => null),
      { usd: 2, atLeast: true },
    );
  });
});
