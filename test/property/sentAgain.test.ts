import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AttemptState } from '../../src/engine/chat/slices/attempts.js';
import { COUNT_ERROR, resentTokens } from '../../src/engine/diagnosis/sentAgain.js';
import type { ManifestBlock } from '../../src/engine/record/manifest.js';
import { sumTokens } from '../../src/engine/sumTokens.js';
import { attemptEnded, attemptStarted, usage } from '../support/engine/events.js';
import { forAll } from '../support/forAll.js';

const BLOCK = fc.record({ name: fc.nat(12), tokens: fc.integer({ min: 1, max: 5_000 }) }).map(({ name, tokens }): ManifestBlock => {
  return {
    ...{
      key: String(name),
      hash: `${String(name)} ${String(tokens)}`,
      role: 'user',
      source: { from: 'snapshot' },
      category: 'conversation',
    },
    ...{ item: null, form: 'full', tokens, tier: 'active', opens: false, since: 1, content: null },
  };
});

function attemptOf(fresh: number, read: number, written: number): AttemptState {
  const { type: _started, attemptId: id, ...started } = attemptStarted('run', 'a');
  const { type: _ended, ...ended } = attemptEnded('run', id, 'complete');
  const manifest = { ...started.manifest, marks: [{ at: 0, ttl: '5m' as const }] };
  return {
    ...started,
    id,
    manifest,
    inheritedFrom: null,
    startedAt: 0,
    reply: [],
    end: { ...ended, at: 1, usage: usage(fresh, read, written, 1) },
  };
}

describe('what of a request was sent again', () => {
  it('is never more than what was not read, and all of it was either written or fresh', () => {
    const cases = fc.tuple(
      fc.array(BLOCK, { maxLength: 20 }),
      fc.array(BLOCK, { maxLength: 20 }),
      fc.nat(9_999),
      fc.nat(9_999),
      fc.nat(9_999),
    );
    forAll(cases, ([blocks, covered, fresh, read, written]) => {
      const request = { attempt: attemptOf(fresh, read, written), blocks, context: [], forgotten: [] };
      const again = resentTokens(request, covered);
      const input = fresh + read + written;
      assert.ok(again.tokens >= 0 && again.written >= 0 && again.fresh >= 0);
      assert.equal(again.written + again.fresh, again.tokens);
      assert.ok(again.tokens <= fresh + written + input * COUNT_ERROR + 1);
      assert.equal(resentTokens(request, []).tokens, 0);
    });
  });

  it('is all that the cache had, where nothing was read, and not a later message with the same text', () => {
    forAll(fc.array(BLOCK, { minLength: 1, maxLength: 20 }), fc.nat(20), (different, count) => {
      const blocks = [...different, ...different.slice(0, count)];
      const tokens = sumTokens(blocks);
      const covered = blocks.slice(0, count);
      const expected = sumTokens(covered);
      const request = { attempt: attemptOf(0, 0, tokens), blocks, context: [], forgotten: [] };
      const { tokens: again, written } = resentTokens(request, covered);
      assert.deepEqual([again, written], [expected, expected]);
    });
  });
});
