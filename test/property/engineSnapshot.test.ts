import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { foldAfter, type ChatFold } from '../../src/engine/chat/fold.js';
import { type ChatState, countMessages } from '../../src/engine/chat/state.js';
import { endOf, isWhole, snapshotOf, type ChatSnapshot } from '../../src/engine/chat/snapshot.js';
import { transcript } from '../../src/engine/chat/transcript.js';
import { folded, plainState, stamp } from '../support/engine/events.js';
import { loggedDrafts, storyOf } from '../support/engine/randomLog.js';
import { told } from '../support/storage/indexedChat.js';

const story = storyOf('s', true);

/** A place in a log where a snapshot can be taken, as it comes back from a file. */
interface Place {
  readonly at: number;
  readonly snapshot: ChatSnapshot;
}

function placesIn(log: readonly ChatEvent[]): Place[] {
  return log.flatMap((_, index) => {
    const at = index + 1;
    const snapshot = snapshotOf(folded(log.slice(0, at)), at % 4);
    return snapshot === null ? [] : [{ at, snapshot: JSON.parse(JSON.stringify(snapshot)) as ChatSnapshot }];
  });
}

describe('a fold that begins at a snapshot', () => {
  it('tells of the chat what the fold of the whole log tells, unless it says that something reaches back', () => {
    const seen = { all: 0, reachedBack: 0 };
    fc.assert(
      fc.property(story, (steps) => {
        const log = stamp(loggedDrafts(steps), 'w');
        const whole = folded(log);
        for (const { at, snapshot } of placesIn(log)) {
          const { state, reachedBack } = foldAfter(snapshot, log.slice(at));
          seen.all += 1;
          seen.reachedBack += reachedBack ? 1 : 0;
          if (!reachedBack) {
            assert.deepEqual(told(state), told(whole));
            assertSameEnd(state, whole);
          }
        }
      }),
    );
    // Otherwise this says little: a fold that always reaches back, or stories in which nothing does.
    assert.ok(seen.reachedBack > 0 && seen.reachedBack < seen.all / 2, JSON.stringify(seen));
  });

  it('is the fold of the whole log when what comes before is put in front of it, in one part or in two', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const log = stamp(loggedDrafts(steps), 'w');
        const places = placesIn(log);
        for (const [index, { at, snapshot }] of places.entries()) {
          const tail = foldAfter(snapshot, log.slice(at));
          if (!tail.reachedBack) {
            const middle = places[Math.floor(index / 2)];
            const isBefore = middle !== undefined && middle.at < at && middle.snapshot.earlier.items <= snapshot.earlier.items;
            prependIn(log, tail, isBefore ? [at, middle.at] : [at]);
            assert.deepEqual(plainState(tail.state), plainState(folded(log)));
          }
        }
      }),
    );
  });
});

/** Puts the log in front of `tail` that begins at `ends[0]`, in parts that end at `ends`, as far as none reaches back. */
function prependIn(log: readonly ChatEvent[], tail: ChatFold, ends: readonly number[]): void {
  const [end = 0, middle] = ends;
  const snapshot = middle === undefined ? null : snapshotOf(folded(log.slice(0, middle)), middle % 4);
  const part = snapshot === null || middle === undefined ? null : foldAfter(snapshot, log.slice(middle, end));
  if (part === null || part.reachedBack) {
    tail.prepend(folded(log.slice(0, end)));
    return;
  }
  tail.prepend(part.state);
  tail.prepend(folded(log.slice(0, middle)));
}

function assertSameEnd(part: ChatState, whole: ChatState): void {
  const here = transcript(part);
  const all = transcript(whole);
  assert.deepEqual(here.messages, all.messages.slice(all.messages.length - here.messages.length));
  assert.deepEqual(here.unsent, new Set([...all.unsent].filter((id) => timelineIds(part).has(id))));
}

function timelineIds({ timeline }: ChatState): ReadonlySet<string> {
  return new Set(timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])));
}

describe('the end of a chat', () => {
  it('sends what the whole chat sends last, tells how much there is, and is the chat itself when that has no more', () => {
    const seen = { all: 0, shorter: 0 };
    fc.assert(
      fc.property(story, fc.integer({ min: 1, max: 6 }), (steps, wanted) => {
        const state = folded(stamp(loggedDrafts(steps), 'w'));
        const end = endOf(state, wanted);
        const [sent, all] = [transcript(end).messages, transcript(state).messages];
        assert.deepEqual(sent, sent.length === 0 ? [] : all.slice(-sent.length));
        assert.equal(countMessages(end), countMessages(state));
        assert.equal(isWhole(end), end === state);
        assert.ok(end === state || countMessages({ ...end, earlier: null }) >= wanted);
        seen.all += 1;
        seen.shorter += end === state ? 0 : 1;
      }),
    );
    // Otherwise this says little.
    assert.ok(seen.shorter > seen.all / 20, JSON.stringify(seen));
  });
});
