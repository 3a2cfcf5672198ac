import assert from 'node:assert/strict';
import type { History } from '../../../src/engine/compaction/history.js';
import { NO_PLAN, type Plan } from '../../../src/engine/compaction/plan.js';
import { topicBoundaryPolicy } from '../../../src/engine/compaction/policies/topicBoundaryPolicy.js';
import { asked, exchanges, history, replied, staying, toolRound } from '../../support/engine/histories.js';

/** Ten exchanges of 2,000 tokens. The verbatim window of 4,000 begins at u8. */
const ten = history(exchanges(10, 1_000));

function plan(of: History, messageId: string | null, confidence: number): Plan {
  return topicBoundaryPolicy(of, { verbatimTokens: 4_000, leastExchanges: 2 }, { messageId, confidence });
}

describe('compaction by topic', () => {
  it('truncates before a sure boundary in the verbatim window', () => {
    assert.deepEqual(plan(ten, 'u8', 0.5), { case: 'truncate', to: 'a7', messages: 16, tokens: 16_000, summaryTokens: 500 });
  });

  it('summarizes what lies before the verbatim window when the boundary is unsure', () => {
    assert.deepEqual(plan(ten, 'u8', 0.49), { case: 'summarize', to: 'a7', messages: 16, tokens: 16_000, summaryTokens: 500 });
  });

  it('summarizes when the boundary lies before the verbatim window, at the beginning, nowhere, or at a message that is gone', () => {
    for (const id of ['a7', 'u3', 'u0', null, 'edited-away']) {
      const made = plan(ten, id, 1);
      assert.equal(made.case, 'summarize', String(id));
      assert.deepEqual(staying(ten, made), ['u8', 'a8', 'u9', 'a9']);
    }
  });

  it('leaves two exchanges when the boundary would leave fewer', () => {
    for (const id of ['u9', 'a9']) {
      const made = plan(ten, id, 0.9);
      assert.equal(made.case, 'truncate');
      assert.deepEqual(staying(ten, made), ['u8', 'a8', 'u9', 'a9']);
    }
  });

  it('leaves two exchanges when the verbatim window holds fewer', () => {
    const large = history(exchanges(5, 9_000));
    assert.deepEqual(staying(large, plan(large, null, 0)), ['u3', 'a3', 'u4', 'a4']);
  });

  it('keeps a tool call with its results when the window begins between them', () => {
    const after = [asked('u5', 450), replied('a5', 450), asked('u6', 450), replied('a6', 450)];
    const tools = history([...exchanges(4, 1_000), asked('u4', 100), ...toolRound('t', 2_000), ...after]);
    const made = plan(tools, null, 0);
    assert.equal(made.case, 'summarize');
    assert.equal(staying(tools, made)[0], 't-call');
  });

  it('cuts before the call when the boundary is at its results', () => {
    const after = [asked('u4', 10), replied('a4', 10), asked('u5', 10), replied('a5', 10)];
    const tools = history([...exchanges(4, 1_000), ...toolRound('t', 10), ...after]);
    assert.equal(staying(tools, plan(tools, 't-result', 0.9))[0], 't-call');
  });

  it('does not count pinned messages as freed, and does nothing when all that would go is pinned', () => {
    const some = plan(history(exchanges(10, 1_000), 'u0', 'a3'), null, 0);
    assert.ok(some.case === 'summarize' && some.tokens === 14_000 && some.messages === 14);
    const all = history(exchanges(4, 2_000), 'u0', 'a0', 'u1', 'a1');
    assert.equal(plan(all, null, 0), NO_PLAN);
    assert.equal(plan(all, 'u2', 1), NO_PLAN);
  });

  it('does nothing for an empty conversation, one exchange, or one within the verbatim window', () => {
    const one = history([asked('u0', 50_000), ...toolRound('t', 50_000), replied('a0', 50_000)]);
    for (const each of [history([]), one, history(exchanges(2, 1_000))]) {
      assert.equal(plan(each, null, 0), NO_PLAN);
      assert.equal(plan(each, 'u0', 1), NO_PLAN);
    }
  });

  it('does nothing when the summary may be as long as what it replaces', () => {
    const at = (tokens: number): Plan => plan(history([asked('old', tokens), ...exchanges(2, 1_000)]), null, 0);
    assert.equal(at(500), NO_PLAN);
    assert.equal(at(501).case, 'summarize');
  });
});
