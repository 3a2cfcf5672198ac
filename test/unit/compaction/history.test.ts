import assert from 'node:assert/strict';
import { cutAtOrBefore, historyTokens, lastCutKeeping, windowBegin } from '../../../src/engine/compaction/history.js';
import { NO_PLAN, planAt } from '../../../src/engine/compaction/plan.js';
import { withReferences } from '../../../src/engine/next/room.js';
import { summaryBudget } from '../../../src/engine/compaction/summaryBudget.js';
import { asked, exchanges, history, replied, toolRound } from '../../support/engine/histories.js';

const withTools = history([asked('u0', 1), ...toolRound('t', 10), replied('a0', 100), asked('u1', 1_000)]);

describe('a history', () => {
  it('sums tokens before each place', () => {
    assert.deepEqual(withTools.tokensBefore, [0, 1, 11, 21, 121, 1_121]);
    assert.equal(historyTokens(withTools), 1_121);
    assert.equal(historyTokens(history([])), 0);
  });

  it('is cut before a tool call, not between the call and its results', () => {
    const cuts = [0, 1, 2, 3, 4, 9].map((place) => cutAtOrBefore(withTools, place));
    assert.deepEqual(cuts, [0, 1, 1, 3, 4, 5]);
  });

  it('has one exchange for each user message, and keeps at least the last', () => {
    assert.deepEqual(withTools.turns, [0, 4]);
    const cuts = [0, 1, 2, 3].map((least) => lastCutKeeping(withTools, least));
    assert.deepEqual(cuts, [4, 4, 0, 0]);
    assert.equal(lastCutKeeping(history([]), 2), 0);
  });

  it('has a window of its last tokens that is never larger than asked for', () => {
    const begins = [0, 999, 1_000, 1_099, 1_100, 5_000].map((tokens) => windowBegin(withTools, tokens));
    assert.deepEqual(begins, [5, 5, 4, 4, 3, 0]);
  });

  it('frees no pinned message, nor the call or the results of one', () => {
    const pinnedCall = history([asked('u0', 1), ...toolRound('t', 10), replied('a0', 100), asked('u1', 1_000)], 't-call');
    const pinnedResult = history([asked('u0', 1), ...toolRound('t', 10), replied('a0', 100), asked('u1', 1_000)], 't-result');
    assert.deepEqual(pinnedCall.freedBefore, [0, 1, 1, 1, 101, 1_101]);
    assert.deepEqual(pinnedCall.removedBefore, [0, 1, 1, 1, 2, 3]);
    assert.deepEqual(pinnedResult, { ...pinnedCall });
  });
});

describe('a history with references to repeated results', () => {
  const loop = [asked('u', 1), ...['a', 'b', 'c', 'd'].flatMap((id) => toolRound(id, 10))];
  const reference = (id: string, saved: number) => ({ source: 'message:a-result/0', messageId: `${id}-result`, saved });

  it('frees less by a cut after the content, because the first reference left is then sent in full', () => {
    const freed = (...pinned: string[]) => withReferences(history(loop, ...pinned), [reference('b', 5), reference('d', 7)]).freedBefore;
    assert.deepEqual(history(loop).freedBefore, [0, 1, 11, 21, 31, 41, 51, 61, 71, 81]);
    assert.deepEqual(freed(), [0, 1, 11, 16, 26, 34, 44, 54, 64, 81]);
    assert.deepEqual(freed('a-call'), history(loop, 'a-call').freedBefore, 'pinned content stays');
    const context = [{ ...reference('b', 5), source: null }];
    assert.deepEqual(withReferences(history(loop), context).freedBefore, history(loop).freedBefore);
  });
});

describe('a plan at a cut', () => {
  it('names the last message replaced, and counts what is replaced', () => {
    assert.deepEqual(planAt(history(exchanges(30, 1_000), 'u1'), 50, 'summarize'), {
      case: 'summarize',
      to: 'a24',
      messages: 49,
      tokens: 49_000,
      summaryTokens: 980,
    });
  });

  it('is none at the beginning, and where every message before it is pinned', () => {
    assert.equal(planAt(withTools, 0, 'truncate'), NO_PLAN);
    assert.equal(planAt(history(exchanges(2, 1_000), 'u0', 'a0'), 2, 'truncate'), NO_PLAN);
  });

  it('allows a summary of 2 % of what it replaces, at least 500 and at most 4,000 tokens', () => {
    assert.deepEqual([0, 25_000, 25_100, 84_310, 200_000, 1_000_000].map(summaryBudget), [500, 500, 502, 1_686, 4_000, 4_000]);
  });
});
