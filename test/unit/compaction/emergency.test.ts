import assert from 'node:assert/strict';
import { emergencyTruncation, truncationForRoom } from '../../../src/engine/compaction/emergency.js';
import { NO_PLAN, planAt } from '../../../src/engine/compaction/plan.js';
import { asked, exchanges, history, replied, staying, toolRound } from '../../support/engine/histories.js';

describe('emergency truncation', () => {
  it('does nothing up to twice the trigger', () => {
    assert.equal(emergencyTruncation(history(exchanges(10, 1_000)), 10_000), NO_PLAN);
    assert.equal(emergencyTruncation(history([]), 0), NO_PLAN);
  });

  it('drops the oldest exchanges, as few as bring the conversation to its trigger', () => {
    const of = history(exchanges(10, 1_000));
    const plan = emergencyTruncation(of, 9_000);
    assert.deepEqual(plan, { case: 'truncate', to: 'a5', messages: 12, tokens: 12_000, summaryTokens: 500 });
  });

  it('leaves room for the lines that stand in their place', () => {
    const of = history(exchanges(10, 1_000));
    assert.deepEqual(staying(of, emergencyTruncation(of, 8_000)), ['u7', 'a7', 'u8', 'a8', 'u9', 'a9']);
  });

  it('drops a question together with its answer and its tool rounds', () => {
    const of = history([asked('u0', 10), ...toolRound('t', 1_000), replied('a0', 10), asked('u1', 900), replied('a1', 10)]);
    assert.deepEqual(staying(of, emergencyTruncation(of, 1_000)), ['u1', 'a1']);
  });

  it('keeps the last exchange when that is too long as well', () => {
    const of = history(exchanges(3, 50_000));
    assert.deepEqual(staying(of, emergencyTruncation(of, 1_000)), ['u2', 'a2']);
    assert.equal(emergencyTruncation(history(exchanges(1, 50_000)), 1_000), NO_PLAN);
  });

  it('drops more when pinned messages stay, and nothing but them is left of what is old', () => {
    const of = history(exchanges(10, 1_000), 'u0', 'a0');
    assert.deepEqual(staying(of, emergencyTruncation(of, 9_000)), ['u7', 'a7', 'u8', 'a8', 'u9', 'a9']);
  });

  it('keeps the last exchange when pinned messages alone are over the trigger', () => {
    const of = history(exchanges(10, 1_000), ...exchanges(8, 1).map(([{ id }]) => id));
    const plan = emergencyTruncation(of, 5_000);
    assert.deepEqual(staying(of, plan), ['u9', 'a9']);
    assert.ok(plan.case === 'truncate' && plan.messages === 2);
  });
});

describe('truncation for a message that needs room', () => {
  it('drops the oldest exchanges, as few as leave a quarter of the room free', () => {
    const of = history([...exchanges(10, 1_000), asked('u10', 1_000)]);
    assert.deepEqual(staying(of, truncationForRoom(of, { room: 20_000, excess: 1_000 })), ['u4', 'a4', ...after(5), 'u10']);
  });

  it('drops as few as make it fit where the rest is one long exchange', () => {
    const of = history([...exchanges(1, 1_000), asked('u1', 9_000), replied('a1', 9_000), asked('u2', 10)]);
    assert.deepEqual(staying(of, truncationForRoom(of, { room: 19_000, excess: 1_010 })), ['u2']);
    assert.deepEqual(staying(of, truncationForRoom(of, { room: 100_000, excess: 1_010 })), ['u1', 'a1', 'u2']);
  });

  it('has fewer lines in place of what it drops where the room is smaller than those', () => {
    const of = history([...exchanges(3, 50), asked('u3', 50)]);
    const plan = truncationForRoom(of, { room: 188, excess: 162 });
    assert.deepEqual([staying(of, plan), plan.case === 'truncate' && plan.summaryTokens], [['u3'], 300 - 162]);
  });

  describe('in a loop of tool calls that fills the room by itself', () => {
    const loop = [asked('u1', 100), ...toolRound('r', 2_000), ...toolRound('s', 2_000), ...toolRound('t', 2_000)];
    const lack = { room: 5_000, excess: 1_200 };

    it('drops the oldest rounds, and keeps the question that stays', () => {
      const of = history(loop, 'u1');
      const plan = truncationForRoom(of, lack);
      assert.deepEqual(staying(of, plan), staying(of, planAt(of, 3, 'truncate')));
      assert.ok(plan.case === 'truncate' && plan.messages === 2);
      const later = history(loop.slice(1));
      assert.deepEqual(staying(later, truncationForRoom(later, lack)), staying(later, planAt(later, 2, 'truncate')));
    });

    it('drops whole turns where these are enough, and keeps the last round', () => {
      const of = history([...exchanges(2, 2_000), ...loop]);
      assert.deepEqual(staying(of, truncationForRoom(of, lack)).slice(0, 1), ['u1']);
      const last = history(loop);
      assert.deepEqual(staying(last, truncationForRoom(last, { ...lack, excess: 7_000 })), staying(last, planAt(last, 5, 'truncate')));
      assert.equal(truncationForRoom(last, { ...lack, excess: 8_500 }), NO_PLAN);
    });

    it('drops no round of a turn that has ended', () => {
      const of = history([...loop, replied('a1', 100)]);
      assert.equal(truncationForRoom(of, lack), NO_PLAN);
    });
  });

  it('drops nothing where that would not make room, and the message is the only one', () => {
    const of = history([...exchanges(3, 50), asked('u3', 5_000)]);
    assert.equal(truncationForRoom(of, { room: 1_000, excess: 4_300 }), NO_PLAN);
    assert.equal(truncationForRoom(history([asked('u0', 5_000)]), { room: 1_000, excess: 4_000 }), NO_PLAN);
    assert.equal(truncationForRoom(history([]), { room: 0, excess: 1 }), NO_PLAN);
  });
});

function after(from: number): string[] {
  return Array.from({ length: 10 - from }, (_, index) => [`u${String(from + index)}`, `a${String(from + index)}`]).flat();
}
