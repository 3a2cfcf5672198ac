import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { lowLimits } from '../../../src/host/chat/providerLimits.js';
import { limitInWords } from '../../../src/protocol/panel/entries.js';
import { attemptEnded, attemptStarted, runStarted, stateOf } from '../../support/engine/events.js';

/** An attempt whose response reported the rest of 100 tokens and the time of their reset. */
function attempt(startedAt: number, left: number, reset: string | null): AttemptState {
  const state = stateOf(runStarted('r', 'u'), attemptStarted('r', 'a'), attemptEnded('r', 'a', 'complete'));
  const found = state.attempts.get('a');
  assert.ok(found?.end);
  const headers = [
    ['x-ratelimit-limit-tokens', '100'],
    ['x-ratelimit-remaining-tokens', String(left)],
    ...(reset === null ? [] : [['x-ratelimit-reset-tokens', reset] as const]),
  ] as const;
  const exchange = { method: 'POST', url: 'https://example.com', requestHeaders: [], response: { status: 200, headers } };
  return { ...found, startedAt, end: { ...found.end, exchange } };
}

describe('What a provider still allows, of an attempt', () => {
  it('is told beside the reply when less than a fifth is left', () => {
    assert.deepEqual(lowLimits(attempt(0, 20, '1s')), []);
    assert.deepEqual(lowLimits(attempt(0, 19, '1s')), [{ of: 'tokens', limit: 100, remaining: 19, resetsAt: 1_000 }]);
  });

  it('is nothing where no response came', () => {
    const { end, ...rest } = attempt(0, 1, null);
    assert.ok(end);
    assert.deepEqual(lowLimits({ ...rest, end: { ...end, exchange: null } }), []);
    assert.deepEqual(lowLimits({ ...rest, end: null }), []);
  });

  it('is said in words', () => {
    const limit = { of: 'input-tokens', limit: 80_000, remaining: 12_400, resetsAt: 1 } as const;
    const left = '12,400 of 80,000 input tokens left';
    assert.deepEqual(
      limitInWords(limit, () => '14:03'),
      [left, 'limit resets at 14:03'],
    );
    assert.deepEqual(
      limitInWords({ ...limit, resetsAt: null }, () => ''),
      [left],
    );
    assert.deepEqual(
      limitInWords({ ...limit, per: 'day', resetsAt: null }, () => ''),
      ['12,400 of 80,000 input tokens per day left'],
    );
  });
});
