import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';
import type { ChatState } from '../../src/engine/chat/state.js';
import { ChatFold } from '../../src/engine/chat/fold.js';
import { logOrder } from '../../src/engine/chat/order/order.js';
import { applyPiece, type GrowingReply, type Reply, type ProgressPiece } from '../../src/engine/chat/message/reply.js';
import { transcript } from '../../src/engine/chat/transcript.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { depth } from '../support/depth.mjs';
import { branchIds, created, folded, plainState, stamp } from '../support/engine/events.js';
import { STRICT_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { anyPiece, loggedDrafts, storyOf, twoWindows } from '../support/engine/randomLog.js';
import { PLAIN, requestOf } from '../support/engine/requests.js';
import { wireFaults } from '../support/engine/wireRules.js';
import { forAll, inRuns } from '../support/forAll.js';

const story = storyOf('s', true);
/** Milliseconds between two steps. A clock can be set back. */
const ticks = fc.array(fc.integer({ min: -20, max: 100 }), { minLength: 1, maxLength: 10 });

describe('the state of any chat', () => {
  it('is live what it is after loading, at each step', () => {
    forAll(story, ticks, ({ steps }, moves) => {
      const log: ChatEvent[] = [];
      const live = ChatFold.created({ ...created(), at: 0, writer: 'w' });
      let at = 0;
      for (const [index, { drafts, isShown }] of steps.entries()) {
        at = Math.max(0, at + moves[index % moves.length]!);
        const events = drafts.map((draft) => ({ ...draft, v: LOG_VERSION, seq: log.length + 1, id: '', at, writer: 'w' }));
        for (const event of events) {
          live.apply(event);
        }
        if (!isShown) {
          log.push(...events);
          assert.deepEqual(plainState(live.state), { ...(plainState(folded(log)) as object), createdAt: 0 });
        }
      }
    });
  });

  it('shows the messages that the user left on show, and how each run ended', () => {
    forAll(story, (told) => {
      const state = folded(stamp(loggedDrafts(told), 'w'));
      assert.deepEqual(branchIds(state), told.branch);
      assert.deepEqual(new Map([...state.runs].map(([id, { status }]) => [id, status])), told.statuses);
      assert.deepEqual(state.problems, []);
    });
  });

  it('keeps every attempt with all that it said', () => {
    forAll(story, (told) => {
      const { attempts } = folded(stamp(loggedDrafts(told), 'w'));
      const said = [...attempts].map(([id, { reply }]) => {
        const texts = reply.map((part) =>
          part === undefined ? '' : part.type === 'toolCall' ? part.rawArgs : 'text' in part ? part.text : part.blob,
        );
        return [id, texts] as const;
      });
      assert.deepEqual(new Map(said), told.replies);
    });
  });

  it('survives the loss of any lines but the first, and makes requests that any model takes', () => {
    const damaged = story.chain((told) => {
      const [first, ...rest] = stamp(loggedDrafts(told), 'w');
      return fc.subarray(rest).map((left) => [first!, ...left]);
    });
    inRuns(depth({ short: 80, deep: 1_500 })).forAll(damaged, (events) => {
      assert.deepEqual(requestFaults(folded(events)), []);
    });
  });
});

function requestFaults(state: ChatState): string[] {
  const { messages } = transcript(state);
  const input = { ...PLAIN, model: STRICT_MODEL, cacheMode: 'cached', messages } as const;
  return wireFaults(requestOf(input, new BlockFactory(characters, sha256)), messages, input);
}

const arrivals = twoWindows.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));

describe('the state of a chat that two windows write to', () => {
  it('does not depend on which event arrived first', () => {
    forAll(arrivals, ([events, others]) => {
      assert.deepEqual(plainState(folded(logOrder(others))), plainState(folded(logOrder(events))));
    });
  });

  it('keeps the messages of each run together', () => {
    forAll(twoWindows, (events) => {
      const runs = folded(logOrder(events)).timeline.map(({ runId }) => runId);
      const groups = runs.filter((runId, index) => runId !== null && runId !== runs[index - 1]);
      // A retried message precedes its new run. A rewind can cut a run, but never mix two.
      const logged = runs.filter((runId) => runId !== null);
      assert.ok(groups.length >= new Set(logged).size);
      assert.equal(groups.length, new Set(groups).size);
    });
  });
});

describe('pieces of a reply, in any order and any number', () => {
  const pieces = fc.array(anyPiece, { maxLength: 12 });
  const replyOf = (known: readonly ProgressPiece[]): GrowingReply => {
    const reply: GrowingReply = [];
    known.forEach((piece) => {
      applyPiece(reply, piece);
    });
    return reply;
  };

  it('change nothing the second time', () => {
    forAll(pieces, anyPiece, (before, piece) => {
      const once = replyOf([...before, piece]);
      const twice = replyOf([...before, piece, piece]);
      assert.deepEqual(twice, once);
    });
  });

  it('never take back what has come', () => {
    forAll(pieces, anyPiece, (before, piece) => {
      const known = replyOf(before);
      const after = replyOf([...before, piece]);
      for (const [index, part] of known.entries()) {
        const length = part === undefined ? 0 : lengthOf(part);
        const later = after[index];
        const isKept = later?.type === part?.type || (part?.type === 'text' && later?.type === 'reasoning');
        assert.ok(part === undefined || (isKept && later !== undefined && lengthOf(later) >= length));
      }
    });
  });

  it('put a text together from parts that overlap', () => {
    const cut = fc.tuple(fc.string({ minLength: 1 }), fc.array(fc.tuple(fc.nat(20), fc.nat(20))));
    forAll(cut, ([whole, cuts]) => {
      const reply: GrowingReply = [];
      for (const [from, length] of [...cuts, [0, whole.length] as const]) {
        applyPiece(reply, { type: 'text', index: 0, offset: from, text: whole.slice(from, from + length) });
      }
      assert.deepEqual(reply, [{ type: 'text', text: whole }]);
    });
  });
});

function lengthOf(part: NonNullable<Reply[number]>): number {
  return part.type === 'toolCall' ? part.rawArgs.length : 'text' in part ? part.text.length : 0;
}
