import assert from 'node:assert/strict';
import { rateLimits } from '../../../src/providers/http/rateLimits.js';

const AT = Date.parse('2025-08-21T12:40:30Z');

describe('What a provider still allows', () => {
  // Recorded: https://rdrr.io/cran/tidyllm/src/tests/testthat/claude/api.anthropic.com/v1/messages-e050b5-POST.R
  it("is in Anthropic's headers, with the time at which all is there again", () => {
    const headers = [
      ['anthropic-ratelimit-input-tokens-limit', '80000'],
      ['anthropic-ratelimit-input-tokens-remaining', '12400'],
      ['anthropic-ratelimit-input-tokens-reset', '2025-08-21T12:40:59Z'],
      ['anthropic-ratelimit-requests-limit', '1000'],
      ['anthropic-ratelimit-requests-remaining', '999'],
      ['anthropic-ratelimit-requests-reset', '2025-08-21T12:40:59Z'],
    ] as const;
    const resetsAt = Date.parse('2025-08-21T12:40:59Z');
    assert.deepEqual(rateLimits(headers, AT).limits, [
      { of: 'requests', limit: 1_000, remaining: 999, resetsAt },
      { of: 'input-tokens', limit: 80_000, remaining: 12_400, resetsAt },
    ]);
  });

  // Sample values of https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
  it("is in OpenAI's headers, with how long that takes", () => {
    const headers = [
      ['X-RateLimit-Limit-Requests', '60'],
      ['x-ratelimit-remaining-requests', '59'],
      ['x-ratelimit-reset-requests', '1s'],
      ['x-ratelimit-limit-tokens', '150000'],
      ['x-ratelimit-remaining-tokens', '149984'],
      ['x-ratelimit-reset-tokens', '6m0s'],
    ] as const;
    assert.deepEqual(rateLimits(headers, AT).limits, [
      { of: 'requests', limit: 60, remaining: 59, resetsAt: AT + 1_000 },
      { of: 'tokens', limit: 150_000, remaining: 149_984, resetsAt: AT + 360_000 },
    ]);
  });

  for (const [text, ms] of [
    ['12ms', 12],
    ['7.66s', 7_660],
    ['2m59.56s', 179_560],
    ['1h2m3s', 3_723_000],
    ['0s', 0],
  ] as const) {
    it(`understands ${text}`, () => {
      const headers = [
        ['x-ratelimit-limit-tokens', '10'],
        ['x-ratelimit-remaining-tokens', '1'],
        ['x-ratelimit-reset-tokens', text],
      ] as const;
      assert.equal(rateLimits(headers, 1_000).limits[0]?.resetsAt, 1_000 + ms);
    });
  }

  for (const text of ['soon', '', '-1s', '6', '2025-08-21Tx']) {
    it(`does not guess what "${text}" means`, () => {
      const headers = [
        ['x-ratelimit-limit-tokens', '10'],
        ['x-ratelimit-remaining-tokens', '1'],
        ['x-ratelimit-reset-tokens', text],
      ] as const;
      assert.equal(rateLimits(headers, AT).limits[0]?.resetsAt, null);
    });
  }

  it('is nothing where the provider says nothing, or only a part, or nonsense', () => {
    const only = (name: string, value: string): unknown => rateLimits([[name, value]], AT).limits;
    assert.deepEqual(rateLimits([], AT).limits, []);
    assert.deepEqual(only('x-ratelimit-remaining-tokens', '5'), []);
    for (const [limit, remaining] of [
      ['-1', '1'],
      ['0', '0'],
    ] as const) {
      const headers = [
        ['x-ratelimit-limit-tokens', limit],
        ['x-ratelimit-remaining-tokens', remaining],
      ] as const;
      assert.deepEqual(rateLimits(headers, AT).limits, []);
    }
  });

  // https://inference-docs.cerebras.ai/support/rate-limits
  it('is by the minute and the day, with seconds until the reset', () => {
    const headers = [
      ['x-ratelimit-limit-requests-day', '1000000000'],
      ['x-ratelimit-remaining-requests-day', '999997455'],
      ['x-ratelimit-reset-requests-day', '33011.382867097855'],
      ['x-ratelimit-limit-tokens-minute', '1000000000'],
      ['x-ratelimit-remaining-tokens-minute', '999998298'],
      ['x-ratelimit-reset-tokens-minute', '11.382867097854614'],
    ] as const;
    assert.deepEqual(rateLimits(headers, AT), {
      limits: [
        { of: 'requests', per: 'day', limit: 1_000_000_000, remaining: 999_997_455, resetsAt: AT + 33_011_383 },
        { of: 'tokens', per: 'minute', limit: 1_000_000_000, remaining: 999_998_298, resetsAt: AT + 11_383 },
      ],
      unread: [],
    });
  });

  // https://docs.digitalocean.com/products/inference/reference/quota-specific-response-headers/
  it('has the seconds since 1970 as the time of the reset', () => {
    const headers = [
      ['x-ratelimit-limit-tokens-per-day', '500'],
      ['x-ratelimit-remaining-tokens-per-day', '20'],
      ['x-ratelimit-reset-tokens-per-day', String(AT / 1_000 + 60)],
    ] as const;
    assert.deepEqual(rateLimits(headers, AT).limits, [{ of: 'tokens', per: 'day', limit: 500, remaining: 20, resetsAt: AT + 60_000 }]);
  });

  // https://openrouter.ai/docs/api_reference/limits
  it('is of requests without a period, with the milliseconds since 1970 as the time of the reset', () => {
    const limits = (reset: string): unknown =>
      rateLimits(
        [
          ['X-RateLimit-Limit', '50'],
          ['X-RateLimit-Remaining', '0'],
          ['X-RateLimit-Reset', reset],
        ],
        AT,
      );
    const limit = { of: 'requests', limit: 50, remaining: 0 };
    assert.deepEqual(limits(String(AT + 60_000)), { limits: [{ ...limit, resetsAt: AT + 60_000 }], unread: [] });
    for (const nonsense of ['60', `${String(AT)}000000`]) {
      assert.deepEqual(limits(nonsense), { limits: [{ ...limit, resetsAt: null }], unread: ['x-ratelimit-reset'] });
    }
  });

  it('names the headers whose reset it cannot read', () => {
    const headers = [
      ['x-ratelimit-limit-tokens', '10'],
      ['x-ratelimit-remaining-tokens', '1'],
      ['x-ratelimit-reset-tokens', 'soon'],
    ] as const;
    assert.deepEqual(rateLimits(headers, AT).unread, ['x-ratelimit-reset-tokens']);
  });
});
