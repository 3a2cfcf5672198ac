import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { costOf, priceBeforeSending, priceOfReply, type Prices } from '../../../src/engine/model/price.js';
import { figureValue, inputTokens, type Usage } from '../../../src/engine/model/usage.js';
import { forkEvents } from '../../../src/engine/request/fork.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import { attemptEnded, attemptStarted, errorRecord, runStarted, stateOf, usage } from '../../support/engine/events.js';
import { committed, cost, replied } from '../../support/engine/replied.js';
import { billedUsage, isUnbilled, type AttemptFacts } from '../../../src/engine/chat/billedUsage.js';
import { contextWindowTokens } from '../../../src/engine/accounting/contextWindow.js';
import type { AttemptEnd } from '../../../src/engine/chat/slices/attempts.js';
import { failure, toErrorRecord, type LoupeError } from '../../../src/engine/errors.js';
import { END, ESTIMATED_USAGE, RunRig, says, type Cue } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

const PRICES: Prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 };
const FIGURES = ['promptTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens', 'completionTokens'] as const;
const MILLION = 1_000_000;

/** Like `replied`, with an unbilled model. */
function practised(n: number, used: Usage | null, usd: number | null): NewEvent[] {
  return replied(n, used, usd).map((event) => (event.type === 'attempt-started' ? { ...event, isPretended: true } : event));
}

describe('the usage of an attempt', () => {
  it('has as input what was fresh, read and written', () => {
    assert.equal(inputTokens(usage(1, 20, 300, 4_000)), 321);
    assert.equal(inputTokens(usage(0, 0, 0, 0)), 0);
  });

  it('has an unknown input when a part of it is unknown', () => {
    for (const figure of FIGURES.slice(0, 3)) {
      assert.equal(inputTokens({ ...usage(1, 1, 1, 1), [figure]: null }), null);
    }
    assert.equal(inputTokens({ ...usage(1, 1, 1, 1), completionTokens: null }), 3);
  });

  it('is all fresh where the provider says nothing about a cache', () => {
    const silent = { cacheReadInputTokens: null, cacheCreationInputTokens: null };
    assert.equal(inputTokens({ ...usage(7, 1, 1, 1), ...silent }), 7);
    assert.equal(inputTokens({ ...usage(7, 1, 1, 1), ...silent, promptTokens: null }), null);
    assert.equal(costOf({ ...usage(7, 1, 1, 1), ...silent }, PRICES), null);
  });

  it('tells an unknown figure from none', () => {
    assert.equal(figureValue(null), null);
    assert.equal(figureValue({ value: 0, source: 'estimated' }), 0);
  });
});

describe('the cost of an attempt', () => {
  it('has each part at its own price', () => {
    assert.deepEqual(costOf(usage(MILLION, 0, 0, 0), PRICES), cost(2));
    assert.deepEqual(costOf(usage(0, MILLION, 0, 0), PRICES), cost(0.2));
    assert.deepEqual(costOf(usage(0, 0, MILLION, 0), PRICES), cost(2.5));
    assert.deepEqual(costOf(usage(0, 0, 0, MILLION), PRICES), cost(10));
    assert.deepEqual(costOf(usage(MILLION, MILLION, MILLION, MILLION), PRICES), cost(14.7));
  });

  it('tells 5-minute writes from 1-hour ones where the provider does', () => {
    const written = { ...usage(0, 0, MILLION, 0), cacheCreation: { fiveMinutes: MILLION / 2, oneHour: MILLION / 2 } };
    assert.deepEqual(costOf(written, PRICES), cost(3.25));
  });

  it('is unknown, not 0, without prices or with an unknown part', () => {
    assert.equal(costOf(usage(1, 1, 1, 1), null), null);
    for (const figure of FIGURES) {
      assert.equal(costOf({ ...usage(1, 1, 1, 1), [figure]: null }, PRICES), null);
    }
  });

  it('does not need to know the cache where all input has one price, as without cache prices', () => {
    const one: Prices = { ...PRICES, cacheRead: 2, cacheWrite5m: 2, cacheWrite1h: 2 };
    const silent = { ...usage(MILLION, 0, 0, MILLION), cacheReadInputTokens: null, cacheCreationInputTokens: null };
    assert.deepEqual([costOf(silent, one), costOf(silent, PRICES)], [cost(12), null]);
    assert.deepEqual(costOf({ ...usage(1, 1, 1, 1), cacheCreationInputTokens: null }, { ...one, cacheWrite1h: 4 }), null);
    assert.equal(costOf({ ...silent, promptTokens: null }, one), null);
  });

  it('is a lower bound where the provider bills more than tokens', () => {
    assert.deepEqual(costOf({ ...usage(MILLION, 0, 0, 0), isMoreBilled: true }, PRICES), { usd: 2, atLeast: true });
  });

  it('has the rates of long prompts for all tokens of a request whose whole input is longer', () => {
    const long = { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 };
    const prices: Prices = { ...PRICES, longPrompts: [long, { ...long, above: 400_000, input: 8 }] };
    assert.deepEqual(costOf(usage(300_000, 0, 0, 1_000), prices), cost(1.8225));
    assert.deepEqual(costOf(usage(10_000, 200_000, 90_000, 1_000), prices), cost(0.06 + 0.12 + 0.675 + 0.0225));
    assert.deepEqual(costOf(usage(200_000, 0, 0, 1_000), prices), cost(0.41));
    assert.deepEqual(costOf(usage(400_001, 0, 0, 0), prices), cost(3.200008));
    const silent = { ...usage(300_000, 0, 0, 0), cacheReadInputTokens: null, cacheCreationInputTokens: null };
    const onePrice = { input: 6, output: 22.5, cacheRead: 6, cacheWrite5m: 6, cacheWrite1h: 6 };
    assert.deepEqual(costOf(silent, { ...PRICES, longPrompts: [{ above: 200_000, ...onePrice }] }), cost(1.8));
    assert.equal(priceBeforeSending({ fresh: 200_000, fiveMinutes: 100_000, oneHour: 0 }, prices), 1.95);
    assert.equal(priceOfReply(1_000, 300_000, prices), 0.0225);
  });

  it('has the prices of the tier that the provider names, by the length of the prompt', () => {
    const priority = { ...PRICES, input: 4, longPrompts: [{ ...PRICES, above: 200_000, input: 8 }] };
    const prices: Prices = { ...PRICES, serviceTiers: { priority, 'priority + us': { ...PRICES, input: 5 } } };
    assert.deepEqual(costOf({ ...usage(100_000, 0, 0, 0), serviceTier: 'priority' }, prices), cost(0.4));
    assert.deepEqual(costOf({ ...usage(300_000, 0, 0, 0), serviceTier: 'priority' }, prices), cost(2.4));
    assert.deepEqual(costOf({ ...usage(100_000, 0, 0, 0), serviceTier: 'priority + us' }, prices), cost(0.5));
    assert.deepEqual(costOf(usage(100_000, 0, 0, 0), prices), cost(0.2));
  });

  it('is a lower bound in a tier without a price: that of the usual tier where it costs more, half of it for others', () => {
    const inTier = (serviceTier: string): unknown => costOf({ ...usage(100_000, 0, 0, 0), serviceTier }, PRICES);
    assert.deepEqual(inTier('priority'), { usd: 0.2, atLeast: true });
    assert.deepEqual(inTier('fast + us'), { usd: 0.2, atLeast: true });
    for (const tier of ['flex', 'batch', 'constructor', 'turbo']) {
      assert.deepEqual(inTier(tier), { usd: 0.1, atLeast: true }, tier);
    }
  });

  it('is 0, not unknown, when nothing was used', () => {
    assert.deepEqual(costOf(usage(0, 0, 0, 0), PRICES), cost(0));
  });
});

describe('the ledger', () => {
  it('is empty and without a cost before the first attempt', () => {
    assert.deepEqual(ledgerTotals(stateOf()), {
      attempts: 0,
      promptTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      completionTokens: 0,
      unknownAttempts: 0,
      cost: null,
    });
  });

  it('adds up all attempts', () => {
    const state = stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), ...replied(2, usage(10, 20, 30, 40), 0.25));
    assert.deepEqual(ledgerTotals(state), {
      attempts: 2,
      promptTokens: 11,
      cacheReadInputTokens: 22,
      cacheCreationInputTokens: 33,
      completionTokens: 44,
      unknownAttempts: 0,
      cost: 0.75,
    });
  });

  it('counts what a fork took over in the chat that paid for it, although the fork has the records', () => {
    const original = stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), committed(1));
    assert.ok(original.extent === 'whole');
    const fork = stateOf(...forkEvents(original, 'a1'), ...replied(2, usage(10, 20, 30, 40), 0.25));
    assert.deepEqual(
      [fork.attempts.get('at1')?.inheritedFrom, fork.attempts.get('at1')?.end],
      [original.chatId, original.attempts.get('at1')?.end],
    );
    const { attempts, promptTokens, cost: usd } = ledgerTotals(fork);
    assert.deepEqual([attempts, promptTokens, usd], [1, 10, 0.25]);
    assert.ok(fork.extent === 'whole');
    const again = stateOf(...forkEvents(fork, 'a1'));
    assert.deepEqual([again.attempts.get('at1')?.inheritedFrom, ledgerTotals(again).attempts], [original.chatId, 0]);
  });

  it('counts attempts whose usage or price is unknown apart, and adds up the rest', () => {
    const partly = { ...usage(10, 20, 30, 40), promptTokens: null };
    const totals = ledgerTotals(stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), ...replied(2, partly, null), ...replied(3, null, null)));
    assert.deepEqual([totals.attempts, totals.unknownAttempts, totals.cost], [3, 2, 0.5]);
    assert.deepEqual([totals.promptTokens, totals.completionTokens], [1, 44]);
  });

  it('counts an attempt that has cost at least its price among them', () => {
    const searched = replied(2, usage(1, 2, 3, 4), 0.25).map((event) =>
      event.type === 'attempt-ended' ? { ...event, cost: { usd: 0.25, atLeast: true } } : event,
    );
    const totals = ledgerTotals(stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), ...searched));
    assert.deepEqual([totals.unknownAttempts, totals.cost], [1, 0.75]);
  });

  it('takes a request that was turned down before anything came of it for one that used nothing', () => {
    const turnedDown = (n: number, kind: ErrorKind): NewEvent[] => {
      const ended = { ...attemptEnded('r', `f${n}`, 'failed'), error: { ...errorRecord('No.'), kind } };
      return [attemptStarted('r', `f${n}`), ended];
    };
    const kinds = ['auth', 'rateLimit', 'overloaded', 'network', 'modelGone', 'contextOverflow', 'refused', 'invalidInput'] as const;
    const totals = ledgerTotals(stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), ...kinds.flatMap((kind, n) => turnedDown(n, kind))));
    assert.deepEqual([totals.attempts, totals.unknownAttempts, totals.cost], [9, 0, 0.5]);
    for (const kind of ['timeout', 'incomplete', 'protocol', 'internal'] as const) {
      assert.equal(ledgerTotals(stateOf(...turnedDown(1, kind))).unknownAttempts, 1, kind);
    }
  });

  it('does not know what was used by a request that broke off, was stopped, or of which something came', () => {
    const started = attemptStarted('r', 'f');
    const failed = attemptEnded('r', 'f', 'failed');
    const piece: NewEvent = {
      type: 'attempt-progress',
      runId: 'r',
      attemptId: 'f',
      pieces: [{ type: 'text', index: 0, offset: 0, text: 'I' }],
    };
    for (const drafts of [
      [started, piece, failed],
      [started, { ...failed, usage: usage(1, 2, 3, 4) }],
      [started, attemptEnded('r', 'f', 'stopped')],
      [started, attemptEnded('r', 'f', 'interrupted')],
    ]) {
      assert.equal(ledgerTotals(stateOf(...drafts)).unknownAttempts, 1);
    }
  });

  it('adds up the tokens of a model that nobody bills, but not its prices, and takes none of them for unknown', () => {
    const practice = [...practised(1, usage(1, 2, 3, 4), 0.5), ...practised(2, null, null)];
    const alone = ledgerTotals(stateOf(...practice));
    assert.deepEqual([alone.attempts, alone.completionTokens, alone.cost, alone.unknownAttempts], [2, 4, null, 0]);
    const both = ledgerTotals(stateOf(...practice, ...replied(3, usage(10, 20, 30, 40), 0.25)));
    assert.deepEqual([both.attempts, both.completionTokens, both.cost, both.unknownAttempts], [3, 44, 0.25, 0]);
  });

  it('knows in a fork of a fork that nobody billed what it took over', () => {
    const original = stateOf(...practised(1, usage(1, 2, 3, 4), 0.5), committed(1));
    assert.ok(original.extent === 'whole');
    const fork = stateOf(...forkEvents(original, 'a1'));
    assert.ok(fork.extent === 'whole');
    const again = stateOf(...forkEvents(fork, 'a1'));
    const pretended = [fork, again].map(({ attempts }) => attempts.get('at1')?.isPretended);
    assert.deepEqual(pretended, [true, true]);
  });

  it('has no cost, not 0, when no attempt has one', () => {
    assert.equal(ledgerTotals(stateOf(...replied(1, usage(1, 2, 3, 4), null))).cost, null);
    assert.equal(ledgerTotals(stateOf(...replied(1, usage(0, 0, 0, 0), 0))).cost, 0);
  });

  it('keeps what discarded branches and failed attempts used', () => {
    const failed = [attemptStarted('r1', 'at9'), { ...attemptEnded('r1', 'at9', 'failed'), usage: usage(5, 0, 0, 0), cost: cost(0.1) }];
    const rewound: NewEvent = { type: 'rewound', rewindId: 'w', to: null, reason: 'edited' };
    const totals = ledgerTotals(stateOf(...replied(1, usage(1, 2, 3, 4), 0.5), ...failed, rewound));
    assert.deepEqual([totals.attempts, totals.promptTokens, totals.cost], [2, 6, 0.6]);
  });

  it('counts an attempt when it has ended', () => {
    assert.equal(ledgerTotals(stateOf(runStarted('r', 'u'), attemptStarted('r', 'at'))).attempts, 0);
  });
});

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
