import assert from 'node:assert/strict';
import { billedUsage, isUnbilled, type AttemptFacts } from '../../../src/engine/chat/billedUsage.js';
import { contextWindowTokens } from '../../../src/engine/accounting/contextWindow.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import type { AttemptEnd } from '../../../src/engine/chat/slices/attempts.js';
import { failure, toErrorRecord, type LoupeError } from '../../../src/engine/errors.js';
import { attemptEnded, attemptStarted, runStarted, stateOf, usage } from '../../support/engine/events.js';
import { END, ESTIMATED_USAGE, RunRig, says, type Cue } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

const NOTHING: Usage = {
  promptTokens: null,
  cacheReadInputTokens: null,
  cacheCreationInputTokens: null,
  cacheCreation: null,
  completionTokens: null,
};

function billed(facts: Partial<AttemptFacts>): Promise<Usage | null> {
  return billedUsage({ outcome: 'complete', hasContent: true, reported: null, ...facts }, () => Promise.resolve(ESTIMATED_USAGE));
}

describe('the usage an attempt is booked with', () => {
  it('is what the provider reported, unchanged, and nothing is counted then', async () => {
    const reported = usage(1, 2, 3, 4);
    const estimate = (): Promise<Usage> => assert.fail('Nothing is missing.');
    assert.equal(await billedUsage({ outcome: 'complete', hasContent: true, reported }, estimate), reported);
  });

  it('is estimated where nothing is reported, and an estimate says nothing about the cache', async () => {
    for (const reported of [null, NOTHING]) {
      assert.deepEqual(await billed({ reported }), ESTIMATED_USAGE);
    }
  });

  it('has an estimated input only when no input figure at all is reported', async () => {
    const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage(1, 2, 3, 4);
    for (const known of [{ promptTokens }, { cacheReadInputTokens }, { cacheCreationInputTokens }]) {
      const reported = { ...NOTHING, ...known };
      assert.deepEqual(await billed({ reported }), { ...reported, completionTokens: ESTIMATED_USAGE.completionTokens });
    }
    const { completionTokens } = usage(0, 0, 0, 4);
    assert.deepEqual(await billed({ reported: { ...NOTHING, completionTokens } }), { ...ESTIMATED_USAGE, completionTokens });
  });

  it('takes noughts for a prompt that was sent, or for a reply that is there, for not counted', async () => {
    assert.deepEqual(await billed({ reported: usage(0, 0, 0, 0) }), ESTIMATED_USAGE);
    assert.deepEqual(await billed({ reported: usage(1, 0, 0, 0) }), {
      ...usage(1, 0, 0, 0),
      completionTokens: ESTIMATED_USAGE.completionTokens,
    });
    assert.deepEqual(await billed({ reported: usage(0, 7, 0, 4) }), usage(0, 7, 0, 4), 'all of it may come from the cache');
    assert.deepEqual(await billed({ hasContent: false, reported: usage(1, 0, 0, 0) }), usage(1, 0, 0, 0), 'a reply may be empty');
    assert.equal(await billed({ outcome: 'failed', hasContent: false, reported: usage(0, 0, 0, 0) }), null);
  });

  it('is unknown for what brought nothing and was not reported on, and else is not', async () => {
    for (const outcome of ['stopped', 'failed', 'interrupted'] as const) {
      assert.equal(await billed({ outcome, hasContent: false }), null);
      assert.deepEqual(await billed({ outcome, hasContent: true }), ESTIMATED_USAGE);
      assert.deepEqual(await billed({ outcome, hasContent: false, reported: usage(1, 2, 3, 4) }), usage(1, 2, 3, 4));
    }
    assert.deepEqual(await billed({ outcome: 'complete', hasContent: false }), ESTIMATED_USAGE);
  });
});

describe('an attempt that nobody bills', () => {
  const unbilled = (error: LoupeError, more: Partial<AttemptEnd>): boolean => {
    const ended = { ...attemptEnded('r', 'a', 'failed'), error: toErrorRecord(error), ...more };
    return isUnbilled(stateOf(runStarted('r', 'u'), attemptStarted('r', 'a'), ended).attempts.get('a') ?? assert.fail());
  };
  const answered = (status: number): LoupeError =>
    failure('http.notAccepted', { label: 'House', status, inputLimit: null, refusedMember: null });

  it('was rejected by the provider, also in words that Loupe does not know, or went to no address of it', () => {
    assert.equal(unbilled(answered(400), {}), true);
    assert.equal(unbilled(failure('http.notHere', { label: 'House', status: 404, inputLimit: null, refusedMember: null }), {}), true);
    assert.equal(unbilled(failureOf('refused', 'No.'), {}), true);
  });

  it('is none whose reply came and cannot be read, whose time ran out, or whose usage was reported', () => {
    assert.equal(unbilled(failure('provider.badStream', { what: 'nonsense' }), {}), false);
    assert.equal(unbilled(failureOf('timeout', 'Late.'), {}), false);
    assert.equal(unbilled(answered(400), { usage: usage(1, 0, 0, 0) }), false);
  });
});

describe('the usage of a run’s attempt', () => {
  const early: Cue = { type: 'usage', usage: usage(10, 0, 0, 1), rawUsage: { early: true } };
  const later: Cue = { type: 'usage', usage: usage(10, 5, 0, 2), rawUsage: { early: false } };
  const broken: Cue = { type: 'fail', error: failureOf('network', 'Lost.') };

  it('is the latest report when the stream breaks off', async () => {
    const rig: RunRig = await new RunRig([early, says('Half'), later, says(' a'), broken]).go();
    const [ended] = rig.ends;
    assert.deepEqual([ended?.usage, ended?.rawUsage], [usage(10, 5, 0, 2), { early: false }]);
    assert.deepEqual(ended?.cost, { usd: (10 * 3 + 5 * 0.3 + 2 * 15) / 1_000_000, atLeast: false });
  });

  it('is the latest report when it is stopped, or the host goes down', async () => {
    for (const reason of ['stop', 'shut-down']) {
      const rig: RunRig = new RunRig([early, says('Half'), { type: 'hang' }]);
      rig.abortAt('cue hang', reason);
      await rig.go();
      assert.deepEqual(rig.ends[0]?.usage, usage(10, 0, 0, 1));
    }
  });

  it('is what its end reports, and the report before when that has none', async () => {
    const end: Cue = { type: 'end', stopReason: 'end', usage: usage(10, 5, 0, 9), rawUsage: { end: true }, responseId: 'id' };
    const [whole] = (await new RunRig([early, says('Yes'), end]).go()).ends;
    assert.deepEqual([whole?.usage, whole?.rawUsage], [usage(10, 5, 0, 9), { end: true }]);
    const [without] = (await new RunRig([early, says('Yes'), END]).go()).ends;
    assert.deepEqual([without?.usage, without?.rawUsage], [usage(10, 0, 0, 1), { early: true }]);
  });

  it('is an estimate, without a cost, when nothing is reported; what came raw is kept', async () => {
    const end: Cue = { type: 'end', stopReason: 'end', usage: null, rawUsage: { tokens: -1 }, responseId: 'id' };
    const rig = await new RunRig([says('Yes'), end]).go();
    const [ended] = rig.ends;
    assert.deepEqual([ended?.usage, ended?.cost, ended?.rawUsage], [ESTIMATED_USAGE, null, { tokens: -1 }]);
    assert.equal(contextWindowTokens(rig.live.state), 1_100);
  });

  it('is unknown for a request that failed before any answer', async () => {
    const rig = await new RunRig([{ type: 'fail', error: failureOf('auth', 'No key.') }]).go();
    assert.deepEqual([rig.ends[0]?.usage, rig.ends[0]?.rawUsage, rig.ends[0]?.cost], [null, null, null]);
  });
});
