import assert from 'node:assert/strict';
import { type History, historyTokens } from '../../../src/engine/compaction/history.js';
import { NO_PLAN, type Plan, gain } from '../../../src/engine/compaction/plan.js';
import { rollingWindowPolicy, withoutSummary, messageCountPolicy } from '../../../src/engine/compaction/policies/policies.js';
import { type Weighed, asked, exchanges, history, replied, staying, toolRound } from '../../support/engine/histories.js';

function ladder(of: History): readonly Exclude<Plan, { case: 'none' }>[] {
  const plans: Exclude<Plan, { case: 'none' }>[] = [];
  for (let plan = next(of, NO_PLAN); plan.case !== 'none'; plan = next(of, plan)) {
    plans.push(plan);
  }
  return plans;
}

function next(of: History, tried: Plan): Plan {
  return rollingWindowPolicy(of, { recentMessages: 6, leastRecentMessages: 2 }, tried);
}

/** The first plan that leaves at most `room` tokens. */
function fitting(of: History, room: number): Plan {
  return ladder(of).find((plan) => historyTokens(of) - gain(plan) <= room) ?? NO_PLAN;
}

const sending: readonly Weighed[] = [...exchanges(10, 1_000), asked('now', 1_000)];

describe('compaction by rolling window', () => {
  it('summarizes older messages and keeps the last six', () => {
    const of = history(sending);
    const plan = fitting(of, 7_000);
    assert.equal(plan.case, 'summarize');
    assert.deepEqual(staying(of, plan), ['a7', 'u8', 'a8', 'u9', 'a9', 'now']);
  });

  it('shrinks the window one by one, then the earliest of the recent ones go, then the summary gets concise', () => {
    const of = history(sending);
    const rungs = ladder(of).map((plan) => [staying(of, plan).length, plan.summaryTokens]);
    assert.deepEqual(rungs, [
      [6, 500],
      [5, 500],
      [4, 500],
      [3, 500],
      [2, 500],
      [1, 500],
      [1, 250],
    ]);
  });

  it('keeps the current message on the last rung, and has none behind it', () => {
    const of = history(sending);
    const last = ladder(of).at(-1);
    assert.ok(last !== undefined);
    assert.deepEqual(staying(of, last), ['now']);
    assert.equal(next(of, last), NO_PLAN);
  });

  it('keeps the last exchange whole, with all its tool rounds', () => {
    const of = history([...exchanges(3, 1_000), asked('now', 10), ...toolRound('s', 10), ...toolRound('t', 10), replied('done', 10)]);
    for (const plan of ladder(of)) {
      assert.deepEqual(staying(of, plan), ['now', 's-call', 's-result', 't-call', 't-result', 'done']);
    }
    assert.equal(ladder(of).length, 2);
  });

  it('summarizes a huge message of an earlier exchange with what stands before it', () => {
    const of = history([...exchanges(3, 100), asked('paste', 90_000), replied('read', 100), asked('now', 100)]);
    const plan = fitting(of, 3_000);
    assert.deepEqual(staying(of, plan), ['read', 'now']);
    assert.ok(plan.case === 'summarize' && plan.tokens === 90_600);
  });

  it('keeps the cut when the summary failed, and is no larger for it', () => {
    const plan = next(history(sending), NO_PLAN);
    assert.ok(plan.case === 'summarize');
    assert.deepEqual(withoutSummary(plan), { ...plan, case: 'truncate' });
    assert.equal(withoutSummary(NO_PLAN), NO_PLAN);
  });

  it('leaves out plans that free nothing', () => {
    assert.deepEqual(ladder(history([])), []);
    assert.deepEqual(ladder(history(exchanges(1, 90_000))), []);
    assert.deepEqual(ladder(history([...exchanges(1, 100), asked('now', 90_000)])), []);
    assert.deepEqual(ladder(history(sending, ...exchanges(10, 1).map(([{ id }]) => id))), []);
  });

  it('goes straight to the current exchange when the least number is above the recent one', () => {
    const of = history(sending);
    const plan = rollingWindowPolicy(of, { recentMessages: 3, leastRecentMessages: 5 }, NO_PLAN);
    assert.equal(staying(of, plan).length, 3);
  });
});

function left(of: History): readonly string[] {
  return staying(of, messageCountPolicy(of, { leastExchanges: 2 }));
}

function rounds(count: number, name: string): ReturnType<typeof toolRound>[number][] {
  return Array.from({ length: count }, (_, n) => toolRound(`${name}${n}`, 10)).flat();
}

describe('compaction by message count', () => {
  it('summarizes all but the last 20 messages of 81, from a user message on', () => {
    const of = history([...exchanges(40, 10), asked('u40', 10)]);
    assert.deepEqual(messageCountPolicy(of, { leastExchanges: 2 }), {
      case: 'summarize',
      to: 'a29',
      messages: 60,
      tokens: 600,
      summaryTokens: 500,
    });
    assert.equal(left(of).length, 21);
  });

  it('looks for the beginning of an exchange among the last 30', () => {
    const of = history([...exchanges(26, 10), asked('here', 10), ...rounds(13, 't'), replied('a', 10), asked('last', 10)]);
    assert.equal(left(of)[0], 'here');
    assert.equal(left(of).length, 29);
  });

  it('cuts between two turn rounds when no exchange begins there', () => {
    const of = history([...exchanges(10, 10), asked('long', 10), ...rounds(40, 't'), replied('a', 10), asked('u', 10), asked('last', 10)]);
    assert.match(left(of)[0] ?? '', /-call$/);
    assert.equal(left(of).length, 21);
  });

  it('leaves more than 30 messages when two exchanges have more', () => {
    const of = history([...exchanges(10, 10), asked('first', 10), ...rounds(20, 's'), asked('second', 10), ...rounds(20, 't')]);
    assert.equal(left(of)[0], 'first');
  });

  it('does nothing for an empty conversation, for a short one, and for one exchange', () => {
    for (const of of [history([]), history(exchanges(10, 10)), history([asked('u', 10), ...rounds(50, 't')])]) {
      assert.equal(messageCountPolicy(of, { leastExchanges: 2 }), NO_PLAN);
    }
  });
});
