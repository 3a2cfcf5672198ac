import assert from 'node:assert/strict';
import type { AttemptEnd, AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { type Usage, inputTokens } from '../../../src/engine/model/usage.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { type Prices, costOf } from '../../../src/engine/model/price.js';
import { diagnose } from '../../../src/engine/diagnosis/diagnosis.js';
import type { ProviderDiagnosis } from '../../../src/engine/model/model.js';
import { pastRequest } from '../../../src/engine/request/pastRequest.js';
import type { Manifest } from '../../../src/engine/record/manifest.js';
import { providerSays, verdictOf, verdictOfNext } from '../../../src/host/request/verdict/verdict.js';
import { reasonOf } from '../../../src/host/request/verdict/verdictReasons.js';
import type { Verdict } from '../../../src/protocol/inspector/inspector.js';
import { attemptEnded, attemptStarted, usage } from '../../support/engine/events.js';
import { OPEN_MODEL } from '../../support/engine/models.js';

const PRICES = OPEN_MODEL.prices;
const RATES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
const LONG_PRICES = { ...RATES, longPrompts: [{ ...RATES, above: 200_000, input: 6 }] };

function attemptWith(end: Partial<AttemptEnd>, manifest: Partial<Manifest>): AttemptState {
  const started = attemptStarted('run', 'a');
  const { type: _type, runId, attemptId, ...result } = attemptEnded('run', 'a', 'complete');
  const given = end.usage ?? null;
  // By default the report equals the count.
  const tokens = given === null ? 0 : (inputTokens(given) ?? given.promptTokens?.value ?? 0);
  const size = { tokens, counted: tokens, basis: 'exact', error: null } as const;
  const cost = given === null ? null : costOf(given, PRICES);
  return {
    ...{ id: attemptId, runId, inheritedFrom: null, purpose: 'reply', model: started.model, protocol: started.protocol },
    ...{ manifest: { ...started.manifest, size, ...manifest }, startedAt: 0, reply: [], end: { ...result, at: 9, cost, ...end } },
  };
}

function verdict(end: Partial<AttemptEnd>, manifest: Partial<Manifest>): Verdict {
  const attempt = attemptWith(end, manifest);
  const request = pastRequest(attempt, { blocks: [], context: [], forgotten: [] });
  const diagnosis = diagnose({ request, earlier: [], model: { rules: OPEN_MODEL.capabilities.cache, prices: PRICES } });
  return verdictOf(attempt, { request, diagnosis }, OPEN_MODEL);
}

const reported = (raw: Usage): Partial<AttemptEnd> => ({ usage: raw, rawUsage: {} });

describe('the verdict on a request', () => {
  it('compares the cost with the forecast of the input and the reply that came', () => {
    const forecast = { read: 18_204, written: 12_304, fresh: 1_362, cost: 0.0554 };
    const { cost, details } = verdict(reported(usage(1_362, 18_204, 12_304, 612)), { forecast });
    assert.equal(cost, 'Cost $0.0649');
    assert.equal(details, 'Forecast: $0.0646, 0.4% too low. Figures from the provider.');
  });

  it('says that a long prompt was billed at a price of its own', () => {
    const details = (input: number): string => {
      const attempt = attemptWith(reported(usage(input, 0, 0, 5)), {});
      return verdictOf(attempt, null, { ...OPEN_MODEL, prices: LONG_PRICES }).details;
    };
    assert.equal(details(200_001), 'Billed at the price of requests above 200,000 tokens. Figures from the provider.');
    assert.equal(details(200_000), 'Figures from the provider.');
  });

  it('names the tier that it was served in, and says where that has no price', () => {
    const details = (serviceTier: string, serviceTiers: Prices['serviceTiers']): Verdict => {
      const attempt = attemptWith(reported({ ...usage(1_000, 0, 0, 5), serviceTier }), {});
      return verdictOf(attempt, null, { ...OPEN_MODEL, prices: { ...RATES, ...(serviceTiers === undefined ? {} : { serviceTiers }) } });
    };
    assert.equal(details('flex', { flex: RATES }).details, 'Processed in the service tier “flex”. Figures from the provider.');
    const { cost, details: told } = details('turbo', undefined);
    assert.match(cost, /^Cost at least /);
    assert.equal(told, 'Processed in the service tier “turbo”, which has no price in the settings. Figures from the provider.');
  });

  it('says where a provider reported other usage than forecast', () => {
    const forecast = { read: 18_204, written: 0, fresh: 1_362, cost: 0.0096 };
    const { details } = verdict(reported(usage(1_362, 0, 18_204, 612)), { forecast });
    assert.match(
      details,
      /^Forecast: \$0\.\d{4}, \d+% too low\. Forecast of the cache: 18,204 tokens read, 0 written\. Reported: 0 and 18,204\. /,
    );
  });

  it('says of what was lost whether it was written again, or sent uncached where nobody is billed for writing', () => {
    const reason = (kind: 'expired' | 'tools', raw: Usage): string => {
      const request = pastRequest(attemptWith(reported(raw), {}), { blocks: [], context: [], forgotten: [] });
      const diagnosis = diagnose({ request, earlier: [], model: null });
      const tools = { added: ['log'], removed: ['a', 'b', 'c', 'd'], changed: [] };
      const cause = kind === 'expired' ? ({ kind, idleMs: 600_000 } as const) : ({ kind, ...tools } as const);
      return reasonOf({ ...diagnosis, cause, again: 1_200 }, request, 2_000);
    };
    const [marked, automatic] = [usage(100, 0, 1_900, 5), usage(2_000, 0, 0, 5)];
    assert.equal(
      reason('tools', marked),
      '1,200 tokens written to the cache again because the tools changed (added log; removed a, b, c and 1 more).',
    );
    assert.match(reason('tools', automatic), /^1,200 tokens sent uncached because the tools changed/);
    assert.equal(reason('expired', marked), '1,200 tokens written to the cache again because the cache expired in a pause of 10 min.');
    assert.equal(reason('expired', automatic), '1,200 tokens sent uncached because the cache expired in a pause of 10 min.');
  });

  it('says by how much counts were corrected', () => {
    const size = { tokens: 1_042, counted: 1_000, basis: 'estimate', error: null } as const;
    assert.equal(
      verdict(reported(usage(1_042, 0, 0, 5)), { size }).details,
      'Loupe corrected its count by +4.2%. Figures from the provider.',
    );
  });

  it('says where the input was counted otherwise than reported, and what follows of it', () => {
    const counted = (manifest: Partial<Manifest>, input: number): string => {
      const [told = ''] = verdict(reported(usage(input, 0, 0, 5)), manifest).details.split(' Figures from');
      return told;
    };
    const size = { tokens: 1_000, counted: 1_000, basis: 'estimate', error: null } as const;
    const counter = 'o200k';
    assert.equal(
      counted({ size, counter }, 1_400),
      'Loupe counted 1,000 tokens, the provider reported 1,400. Loupe corrects later counts.',
    );
    assert.equal(counted({ size, counter }, 1_015), 'Figures from the provider.');
    assert.match(counted({ size, counter }, 9_000), /the provider reported 9,000\. The difference is too large to correct later counts\.$/);
    assert.match(
      counted({ size, counter }, 260),
      /the provider reported 260\. The server has probably cut the request, so Loupe does not correct later counts\.$/,
    );
    assert.match(
      counted({ size, counter: ROUGH_COUNTER.id }, 1_400),
      /the provider reported 1,400\. Loupe does not correct estimates from characters\.$/,
    );
    const exact = { ...size, basis: 'exact' } as const;
    assert.match(
      counted({ size: exact, counter }, 1_400),
      /\. Loupe does not correct later counts, because the counter of the model is set as exact\.$/,
    );
  });

  it('names counts that were made smaller while the reply came, and which of them counts', () => {
    const shrunk = [
      { name: 'prompt_tokens', earlier: 1_200, later: 900 },
      { name: 'prompt_tokens_details.cached_tokens', earlier: 300, later: -5 },
    ];
    assert.equal(
      verdict({ ...reported(usage(600, 300, 0, 5)), shrunk }, {}).details,
      [
        'The provider reported 1,200 and then 900 for prompt_tokens. Loupe uses the last value.',
        'The provider reported 300 and then −5 for prompt_tokens_details.cached_tokens. The last value is impossible, so Loupe uses the first.',
        'Figures from the provider.',
      ].join(' '),
    );
  });

  it('says that a breakpoint was served with another lifetime than it asked for, and nothing where it cannot tell', () => {
    const hour = { at: 0, ttl: '1h' } as const;
    const written = (fiveMinutes: number, oneHour: number): Partial<AttemptEnd> =>
      reported({ ...usage(9, 0, fiveMinutes + oneHour, 5), cacheCreation: { fiveMinutes, oneHour } });
    const told = 'The 1h breakpoint was cached for 5m. Figures from the provider.';
    const untold = 'Figures from the provider.';
    assert.equal(verdict(written(900, 0), { marks: [hour] }).details, told);
    assert.equal(verdict(written(0, 900), { marks: [hour] }).details, untold);
    // A gateway can have its own marks, and an entry that asks for an hour can have been read.
    assert.equal(verdict(written(300, 600), { marks: [hour] }).details, untold);
    assert.equal(verdict(written(900, 0), { marks: [hour, { at: 3, ttl: '5m' }] }).details, untold);
  });

  it('knows no cost without usage', () => {
    const estimated = { value: 900, source: 'estimated' } as const;
    const counted = { ...usage(0, 0, 0, 0), promptTokens: estimated, cacheReadInputTokens: null, cacheCreationInputTokens: null };
    for (const end of [{ usage: null }, { usage: counted, cost: null }]) {
      const { cost, reason, tone } = verdict({ ...end, rawUsage: null }, {});
      assert.deepEqual([tone, cost, reason], ['plain', 'Cost unknown', 'the provider reported no usage. Loupe counted the tokens.']);
    }
  });

  it('marks the cost of a reply that Loupe counted, unless the provider named the cost', () => {
    const interrupted = { ...usage(900, 0, 0, 5), completionTokens: { value: 5, source: 'estimated' } as const };
    const { cost, details } = verdict(reported(interrupted), {});
    assert.equal(cost, 'Cost ≈ $0.0028');
    assert.equal(details, 'Loupe counted the tokens of the reply.');
    assert.equal(verdict(reported({ ...interrupted, charged: 0.0028 }), {}).cost, 'Cost $0.0028');
  });

  it('names counts that cannot be, and counts with none of them', () => {
    const unknown = { ...usage(900, 0, 0, 5), cacheReadInputTokens: null, cacheCreationInputTokens: null };
    const rawUsage = { input_tokens: 900, cache: { read_tokens: -12 }, output_tokens: 5 };
    const { reason, details, cost } = verdict({ usage: unknown, rawUsage, cost: null }, {});
    assert.deepEqual([cost, reason], ['Price unknown', 'the provider does not report what it read from its cache.']);
    assert.equal(
      details,
      'The provider reported −12 for cache.read_tokens, an impossible value that Loupe ignores. Figures from the provider.',
    );
  });

  it('says of a request whose record is damaged that the reason is unknown', () => {
    const attempt = attemptWith(reported(usage(900, 0, 0, 5)), {});
    const { cost, reason } = verdictOf(attempt, null, null);
    assert.deepEqual([cost, reason], ['Cost $0.0028', 'the record of the request is damaged, so the reason is unknown.']);
  });

  it('names the missing prices of a model as the reason, and what the cache did only in the details', () => {
    const attempt = attemptWith({ ...reported(usage(2_032, 0, 0, 5)), cost: null }, {});
    const request = pastRequest(attempt, { blocks: [], context: [], forgotten: [] });
    const diagnosis = diagnose({ request, earlier: [], model: { rules: OPEN_MODEL.capabilities.cache, prices: null } });
    const { cost, reason, details, offersPrices } = verdictOf(attempt, { request, diagnosis }, { ...OPEN_MODEL, prices: null });
    assert.deepEqual([cost, reason, offersPrices], ['Price unknown', `${OPEN_MODEL.label} has no prices.`, true]);
    assert.equal(details, 'This is the first request of the chat, so nothing was in the cache yet. Figures from the provider.');
  });

  it('says of a request that is long enough that the one before was too short for the cache', () => {
    const request = pastRequest(attemptWith(reported(usage(2_032, 0, 0, 5)), {}), { blocks: [], context: [], forgotten: [] });
    const diagnosis = diagnose({ request, earlier: [], model: null });
    const reason = (input: number): string =>
      reasonOf({ ...diagnosis, cause: { kind: 'belowMinimum', minimumTokens: 1_024 } }, request, input);
    assert.equal(reason(800), 'the request is too short, as the model caches from 1,024 tokens on.');
    assert.equal(reason(2_032), 'the request before was too short, as the model caches from 1,024 tokens on.');
  });

  it('does not call a price that nobody billed a cost', () => {
    const attempt: AttemptState = { ...attemptWith(reported(usage(900, 0, 0, 5)), {}), isPretended: true };
    assert.equal(verdictOf(attempt, null, null).cost, 'Would cost $0.0028 with a paid model');
  });
});

describe('what a provider says of a request beside the one before', () => {
  const rows: readonly (readonly [ProviderDiagnosis, string])[] = [
    [{ kind: 'same' }, 'The provider says that nothing differs from the previous request, but its cache no longer had the content.'],
    [
      { kind: 'differs', what: 'system', tokens: 18_200 },
      'The provider says that the system prompt differs from the previous request. Tokens after the difference: about 18,200.',
    ],
    [
      { kind: 'differs', what: 'tools', tokens: 1 },
      'The provider says that the tools differ from the previous request. Tokens after the difference: about 1.',
    ],
    [{ kind: 'differs', what: 'messages', tokens: null }, 'The provider says that an earlier message differs from the previous request.'],
    [{ kind: 'untold', why: 'pending' }, 'When the reply began, the provider had not yet compared this request with the previous request.'],
    [{ kind: 'untold', why: 'notFound' }, 'The provider cannot compare this request: it has no record of the previous request.'],
    [{ kind: 'untold', why: 'unavailable' }, 'The provider cannot tell what differs from the previous request.'],
    [{ kind: 'other', word: 'region_changed' }, 'The provider says: region_changed.'],
  ];
  for (const [diagnosis, told] of rows) {
    it(`is "${told}"`, () => {
      assert.equal(providerSays(diagnosis), told);
    });
  }
});

describe('the verdict on the next request', () => {
  const parts = { read: 47_000, written: 3_100, fresh: 1_104 };
  const forecast = { parts, expiresAt: 192_000, costAfter: 0.1912 };
  const reply = { low: 0.01, high: 0.02, median: 0.0162, replies: 4 };
  const model = { label: 'acme-large' };
  const next = {
    isPartial: false,
    hasUnknownTools: false,
    isEstimate: false,
    model,
    uncached: null,
    reply: null,
    mayBeCached: false,
    isPretended: false,
  };
  const nothing = { parts: { ...parts, read: 0 }, expiresAt: null, costAfter: 0.1536 };

  it('says what it will cost with a typical reply, and until when', () => {
    const { cost, reason, details, tone } = verdictOfNext({ ...next, forecast, inputCost: 0.0292, reply }, 0);
    const words = ['good', 'Will cost ≈ $0.045 with reply', '92% comes from the cache, if you send within 3:12.'];
    assert.deepEqual([tone, cost, reason], words);
    assert.equal(details, 'Input $0.0292 before the cache expires, $0.1912 later. Reply: typically $0.010 to $0.020.');
  });

  it('says that a reply costs more when no reply has come yet, and that a cache may make the input cheaper', () => {
    const { cost, details } = verdictOfNext({ ...next, forecast: null, inputCost: 0.0292, mayBeCached: true, isPretended: true }, 0);
    assert.deepEqual([cost, details], ['Would cost ≤ $0.0292 + reply', 'Input $0.0292.']);
  });

  it('says that tools of servers that have not started yet cost more', () => {
    const costs = [false, true].map((mayBeCached) => {
      const unknown = { ...next, hasUnknownTools: true, mayBeCached };
      return verdictOfNext({ ...unknown, forecast: null, inputCost: 0.0292 }, 0).cost;
    });
    assert.deepEqual(costs, ['Will cost ≥ $0.0292 + reply', 'Will cost ≈ $0.0292 + reply']);
  });

  it('marks the price of estimated tokens', () => {
    assert.equal(verdictOfNext({ ...next, isEstimate: true, forecast, inputCost: 0.0292 }, 0).cost, 'Will cost ≈ $0.0292 + reply');
  });

  it('says why nothing is cached, and what the user can change', () => {
    const uncached = { reason: { kind: 'expired', at: 0, isPartly: false }, way: 'longer' } as const;
    const { cost, reason, details, tone } = verdictOfNext({ ...next, forecast: nothing, inputCost: 0.1536, uncached }, 720_000);
    assert.deepEqual([tone, cost, reason], ['plain', 'Will cost $0.1536 + reply', 'the cache expired 12 min ago.']);
    assert.equal(details, 'To keep content in the cache for longer, change "Cache lifetime" in the chat settings. Input $0.1536.');
  });

  it('says that the price is unknown for a model without prices, and what the cache does only in its details', () => {
    const uncached = { reason: { kind: 'unknown' }, way: null } as const;
    const unpriced = { ...next, forecast: null, inputCost: null, uncached };
    const { cost, reason, details, offersPrices } = verdictOfNext(unpriced, 0);
    assert.deepEqual([cost, reason, offersPrices], ['Price unknown', 'acme-large has no prices.', true]);
    assert.equal(details, 'Loupe does not know whether this provider caches.');
  });

  it('gives no price for a request that is too long to send', () => {
    const { cost, reason } = verdictOfNext({ ...next, isPartial: true, forecast, inputCost: 0.1 }, 0);
    assert.deepEqual([cost, reason], ['Price unknown', 'the request is too long to send, so Loupe counted only the latest messages.']);
  });
});
