import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatState } from '../../src/engine/chat/state.js';
import { isConversation } from '../../src/engine/chat/message/message.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews, type ShownEntries } from '../../src/host/panel/conversation/entries.js';
import { ShownRange } from '../../src/host/panel/conversation/shownRange.js';
import { PANEL_STATE } from '../../src/protocol/panel/state.js';
import { isStep, turnsOf } from '../../src/protocol/panel/turnSteps.js';
import { depth } from '../support/depth.mjs';
import { copyOf } from '../support/engine/panelStates.js';
import { ANY_MODEL, EMPTY_PANEL } from '../../webview/preview/views.js';
import { inRuns } from '../support/forAll.js';
import { EXCHANGES, LONG_CHAT, writeLongChat } from '../support/host/longChat.js';
import { at, attempt, conversationOperations, pick, userIdsOf, type Operation } from '../support/host/operations.js';
import { EchoTool, messages } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';

const text = fc.constantFrom('/long 2', '/tool echo {"a": 1}', '/tool echo {}\n/error 500', '/error 429', '/error cut', 'Hello 🎈');

const operation = fc.oneof(
  ...conversationOperations(text, { send: 5, change: 1 }),
  fc.constant<Operation>((session) => session.conversation.continueRun()),
);

function wholeOf(state: ChatState): ShownEntries {
  return new EntryViews(() => ANY_MODEL).derive(state, Number.MAX_SAFE_INTEGER);
}

function messageIds(state: ChatState): ReadonlySet<string> {
  return new Set(
    messages(state).flatMap((message) => (isConversation(message) ? [message.role === 'assistant' ? message.attemptId : message.id] : [])),
  );
}

/** The number of messages among entries, or of notes when there are no messages. */
function count(entries: ShownEntries['entries'], ids: ReadonlySet<string>): number {
  const counted = entries.filter(({ id }) => ids.has(id)).length;
  return counted === 0 ? entries.length : counted;
}

/** Checks any range of a conversation against all of it. */
function partsOf(state: ChatState, whole: ShownEntries): (first: number, end: number) => ShownEntries {
  const ids = messageIds(state);
  return (first, end) => {
    const entries = whole.entries.slice(first, end);
    return {
      entries,
      turns: turnsIn(entries, whole),
      earlier: count(whole.entries.slice(0, first), ids),
      later: count(whole.entries.slice(end), ids),
    };
  };
}

/** Returns the totals of whole turns, by the first step of each that is among `entries`. */
function turnsIn(entries: ShownEntries['entries'], whole: ShownEntries): ShownEntries['turns'] {
  const shown = new Set(entries.map(({ id }) => id));
  const turns = turnsOf(whole.entries).flatMap((turn) => {
    const steps = turn.filter(isStep);
    const total = whole.turns[steps[0]?.id ?? ''];
    const head = steps.find(({ id }) => shown.has(id));
    return total === undefined || head === undefined ? [] : [[head.id, total] as const];
  });
  return Object.fromEntries(turns);
}

/** Calls `check` after each change of a chat. `settle` throws its errors. */
function watch(session: ChatSession, check: () => void): { readonly settle: () => void } {
  const thrown: unknown[] = [];
  session.onChange(() => {
    try {
      check();
    } catch (error) {
      thrown.push(error);
    }
  });
  return {
    settle: () => {
      assert.deepEqual(thrown, []);
      check();
    },
  };
}

describe('the part of a conversation that is on show', () => {
  const windows = useWindows();

  it('is that part of all of it, wherever it begins and ends, at every moment', async () => {
    await inRuns(depth({ short: 10, deep: 150 })).forAllAsync(
      fc.array(operation, { minLength: 1, maxLength: 10 }),
      fc.nat({ max: 6 }),
      fc.nat({ max: 6 }),
      async (operations, before, after) => {
        await windows.newFolder();
        const session = await windows.open({ tools: new EchoTool() }).chats.create();
        const views = new EntryViews(() => ANY_MODEL);
        const check = (): void => {
          const { state } = session;
          const whole = wholeOf(state);
          const partOf = partsOf(state, whole);
          for (const [index, { id, kind }] of whole.entries.entries()) {
            // Notes of a run have no link.
            if (kind === 'retry' || kind === 'runNote' || kind === 'failures') continue;
            const part = partOf(Math.max(0, index - before), index + after + 1);
            assert.deepEqual(views.around(state, { id, before, after }), part);
            assert.equal(views.find(state, id)?.fromEnd, whole.entries.length - index);
          }
          assert.deepEqual(views.derive(state, before + 1), partOf(Math.max(0, whole.entries.length - before - 1), whole.entries.length));
        };
        const { settle } = watch(session, check);
        for (const each of operations) {
          await attempt(each(session, userIdsOf(session)));
          settle();
        }
        await windows.closeAll();
      },
    );
  });

  it('is told by deltas as it is by a snapshot, wherever it moves and whatever is done meanwhile', async () => {
    type Step = (part: ShownRange, session: ChatSession) => Promise<unknown> | undefined;
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 3,
        arbitrary: at.map(
          (n): Step =>
            (part, { state }) =>
              void part.moveTo(state, pick(messages(state), n)?.id ?? ''),
        ),
      },
      fc.constantFrom<Step>(
        (part, { state }) => {
          part.growEarlier(state);
        },
        (part) => {
          part.growLater();
        },
        (part) => {
          part.toLatest();
        },
      ),
      {
        weight: 2,
        arbitrary: operation.map(
          (each): Step =>
            (_, session) =>
              attempt(each(session, userIdsOf(session))),
        ),
      },
    );
    await inRuns(depth({ short: 5, deep: 75 })).forAllAsync(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await windows.newFolder();
      await writeLongChat(windows.folder);
      const session = await windows.open({ tools: new EchoTool() }).chats.open(LONG_CHAT);
      await session.whole();
      assert.equal(messages(session.state).length, 2 * EXCHANGES);
      const part = new ShownRange(new EntryViews(() => ANY_MODEL));
      let posted = { ...EMPTY_PANEL, entries: part.derive(session.state).entries };
      let received = copyOf(posted);
      const check = (): void => {
        const { state } = session;
        const derived = part.derive(state);
        const { entries } = derived;
        const whole = wholeOf(state);
        const first = whole.entries.findIndex(({ id }) => id === entries[0]?.id);
        assert.deepEqual(derived, partsOf(state, whole)(Math.max(0, first), Math.max(0, first) + entries.length));
        const next = { ...EMPTY_PANEL, entries };
        const delta = PANEL_STATE.diff(posted, next);
        received = delta === null ? received : PANEL_STATE.apply(received, copyOf(delta));
        posted = next;
        assert.deepEqual(received, next);
      };
      const { settle } = watch(session, check);
      for (const each of steps) {
        await each(part, session);
        settle();
      }
      await windows.closeAll();
    });
  });
});
