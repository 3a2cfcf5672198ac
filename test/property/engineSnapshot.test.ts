import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  contextWindow,
  contextWindowTokens,
  type ContextWindow,
  windowAfterReply,
  windowAfterSummary,
} from '../../src/engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../src/engine/chat/ledger.js';
import { lastRun } from '../../src/engine/chat/branch.js';
import { lastReplyAttempt } from '../../src/engine/request/base.js';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { depth } from '../support/depth.mjs';
import { foldAfter } from '../support/engine/folds.js';
import { chatOpening, chatTitle } from '../../src/engine/chat/message/opening.js';
import { activeCompaction } from '../../src/engine/chat/slices/compaction.js';
import { compacted, createSentCheck } from '../../src/engine/chat/checkpoint.js';
import { snapshotOf, withBases, type ChatSnapshot } from '../../src/engine/chat/snapshot.js';
import { countAttempts, countMessages, type ChatState } from '../../src/engine/chat/state.js';
import { messagesOf } from '../../src/engine/chat/timeline.js';
import { transcript } from '../../src/engine/chat/transcript.js';
import { manifestBlocksOf } from '../../src/engine/request/rebuild.js';
import { attemptEnded, attemptStarted, folded, logged, runStarted, stamp, stateOf } from '../support/engine/events.js';
import { user } from '../support/engine/messages.js';
import { measured } from '../support/engine/measuredLog.js';
import { NO_PAUSE } from '../support/engine/ports.js';
import { loggedDrafts, storyOf, summarizedTalkOf } from '../support/engine/randomLog.js';
import { forAll, forAllAsync, inRuns } from '../support/forAll.js';

const WINDOW_RUNS = depth({ short: 150, deep: 1_500 });
const story = storyOf('s', true);
const talk = summarizedTalkOf('s');

/** A place in a log for a snapshot, and the snapshot from a file. */
interface Place {
  readonly at: number;
  readonly snapshot: ChatSnapshot;
}

async function placesIn(log: readonly ChatEvent[]): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (let at = 1; at <= log.length; at += 1) {
    const snapshot = await snapshotOf(folded(log.slice(0, at)), at % 4, NO_PAUSE);
    places.push(...(snapshot === null ? [] : [{ at, snapshot: JSON.parse(JSON.stringify(snapshot)) as ChatSnapshot }]));
  }
  return places;
}

/** The values of a chat without its messages. They must not depend on how much of it is loaded. */
function told(state: ChatState): unknown {
  const { chatId, createdAt, updatedAt, latestSideRequest, folders, parent, importedFrom, config, title, problems } = state;
  const { context, leaving, lessons, pinned, excluded, excludedCalls, queued, sessionFiles, earlierSessionFiles, participants, fragments } =
    state;
  return {
    ...{ chatId, createdAt, updatedAt, latestSideRequest, folders, parent, importedFrom, config, title, problems },
    ...{ context, leaving, lessons, pinned, excluded, excludedCalls, queued, sessionFiles, earlierSessionFiles, participants, fragments },
    name: chatTitle(state),
    opening: chatOpening(state),
    messages: countMessages(state),
    attempts: countAttempts(state),
    totals: ledgerTotals(state),
    contextWindow: contextWindowTokens(state),
    compaction: activeCompaction(state),
    lastRun: lastRun(state),
  };
}

/** What the next request needs of a chat besides its last messages. */
function needed(state: ChatState): unknown {
  const attempt = lastReplyAttempt(state);
  const before = state.extent === 'end' ? messagesOf(state.earlier.kept) : [];
  const wanted = new Set([...state.pinned, activeCompaction(state)?.summaryId ?? '']);
  // A pinned message that was never sent is in no request.
  const isNeeded = createSentCheck(state);
  return {
    attempt,
    chain: [...withBases(attempt === null ? [] : [attempt.id], state.attempts)].map((id) => state.attempts.get(id)),
    // They are looked up by id. Pinned ones have the order of the request.
    kept: new Map(
      [...before, ...messagesOf(state.timeline)].flatMap((each) => (wanted.has(each.id) && isNeeded(each) ? [[each.id, each]] : [])),
    ),
  };
}

/**
 * Checks that both requests have the same summary, pinned messages and later messages, unless one reports missing
 * messages. Pinned messages among the missing ones then follow the others.
 */
function assertSameRequest(state: ChatState, whole: ChatState): void {
  const [end, all] = [compacted(state), compacted(whole)];
  assert.deepEqual(end.checkpoint, all.checkpoint);
  assert.deepEqual(end.lacksSome ? end.pinned.slice(0, all.pinned.length) : end.pinned, all.pinned);
  const [here, sent] = [end, all].map(({ rest }, index) => transcript({ ...(index === 0 ? state : whole), timeline: rest }).messages);
  assert.ok(here !== undefined && sent !== undefined);
  assert.deepEqual(end.lacksSome ? here : sent, end.lacksSome ? sent.slice(sent.length - here.length) : here);
}

describe('the end of a chat that is read from a snapshot on', () => {
  it('tells and sends what the whole chat does, unless it says that something reaches back', async () => {
    const seen = { all: 0, reachedBack: 0 };
    await inRuns(depth({ short: 80, deep: 3_000 })).forAllAsync(fc.oneof(story, talk), async (steps) => {
      const log = stamp(loggedDrafts(steps), 'w');
      const whole = folded(log);
      for (const { at, snapshot } of await placesIn(log)) {
        const { state, needsWholeLog: reachedBack } = foldAfter(snapshot, log.slice(at));
        seen.all += 1;
        seen.reachedBack += reachedBack ? 1 : 0;
        if (!reachedBack) {
          assert.deepEqual(told(state), told(whole));
          assert.deepEqual(needed(state), needed(whole));
          assertSameEnd(state, whole);
          assertSameRequest(state, whole);
        }
      }
    });
    // Excludes trivial cases: a fold that always reaches back, or stories in which nothing does.
    assert.ok(seen.reachedBack > 0 && seen.reachedBack < seen.all / 2, JSON.stringify(seen));
  });

  it('holds as many messages as were wanted, and counts those before them', async () => {
    await forAllAsync(story, fc.integer({ min: 0, max: 6 }), async (steps, wanted) => {
      const state = folded(stamp(loggedDrafts(steps), 'w'));
      const snapshot = await snapshotOf(state, wanted, NO_PAUSE);
      if (snapshot !== null) {
        const end = foldAfter(snapshot, []).state;
        const here = countMessages(end) - snapshot.earlier.messages;
        assert.ok(here >= Math.min(wanted, countMessages(state)));
      }
    });
  });

  it('is the same when its snapshot was taken of another end', async () => {
    await forAllAsync(story, fc.nat(), async (steps, choice) => {
      const log = stamp(loggedDrafts(steps), 'w');
      const places = await placesIn(log);
      const first = places[choice % Math.max(1, places.length)];
      const tail = first === undefined ? null : foldAfter(first.snapshot, log.slice(first.at));
      const again = tail === null || tail.needsWholeLog ? null : await snapshotOf(tail.state, 2, NO_PAUSE);
      if (again !== null) {
        assert.deepEqual(told(foldAfter(again, []).state), told(folded(log)));
        assert.deepEqual(needed(foldAfter(again, []).state), needed(folded(log)));
      }
    });
  });
});

function windows(state: ChatState): ReadonlyMap<string, ContextWindow | null> {
  const after = new Map<string, ContextWindow | null>();
  for (const message of messagesOf(state.timeline)) {
    if (message.role === 'assistant') {
      after.set(message.id, windowAfterReply(message.attemptId, state));
    } else if (message.role === 'summary') {
      after.set(message.id, windowAfterSummary(message.id, state, manifestBlocksOf));
    }
  }
  return after;
}

describe('the context window', () => {
  it('after each message is the same in a chat of which only the end is read', async () => {
    const seen = { reply: 0, summary: 0, none: 0 };
    await inRuns(WINDOW_RUNS).forAllAsync(talk, async (steps) => {
      const log = measured(stamp(loggedDrafts(steps), 'w'));
      const whole = folded(log);
      const all = windows(whole);
      for (const { at, snapshot } of await placesIn(log)) {
        const { state, needsWholeLog: reachedBack } = foldAfter(snapshot, log.slice(at));
        if (!reachedBack) {
          const here = windows(state);
          assert.deepEqual(here, new Map([...all].filter(([id]) => here.has(id))));
          assert.deepEqual(contextWindow(state, manifestBlocksOf), contextWindow(whole, manifestBlocksOf));
        }
      }
      for (const each of all.values()) {
        seen[each === null ? 'none' : each.kind] += 1;
      }
    });
    // Excludes trivial cases.
    assert.ok(seen.reply > 100 && seen.summary > 10 && seen.none > 10, JSON.stringify(seen));
  });

  it('after the latest message is that after the latest reply or summary that changed it', () => {
    forAll(talk, (steps) => {
      const state = folded(measured(stamp(loggedDrafts(steps), 'w')));
      const now = contextWindow(state, manifestBlocksOf);
      const last = [...windows(state).values()].filter((each) => each !== null);
      assert.ok(now === null ? true : last.some((each) => isDeepStrictEqual(each, now)));
    });
  });
});

describe('a snapshot of a long chat', () => {
  it('is made with pauses, and tells the ledger of all attempts', async () => {
    const ran = Array.from({ length: 12_000 }, (_, number) => [
      runStarted(`r${String(number)}`, 'u'),
      attemptStarted(`r${String(number)}`, `at${String(number)}`),
      attemptEnded(`r${String(number)}`, `at${String(number)}`, 'complete'),
      { type: 'run-committed', runId: `r${String(number)}` } as const,
    ]).flat();
    const state = stateOf(...ran, logged('last', user('u', 'Q')));
    let pauses = 0;
    const snapshot = await snapshotOf(state, 1, () => {
      pauses += 1;
      return Promise.resolve();
    });
    assert.ok(pauses >= 4, String(pauses));
    assert.deepEqual(snapshot?.earlier.totals, ledgerTotals(state));
  });
});

function assertSameEnd(part: ChatState, whole: ChatState): void {
  const here = transcript(part);
  const all = transcript(whole);
  assert.deepEqual(here.messages, all.messages.slice(all.messages.length - here.messages.length));
  const ids = new Set(messagesOf(part.timeline).map(({ id }) => id));
  assert.deepEqual(here.unsent, new Set([...all.unsent].filter((id) => ids.has(id))));
}
