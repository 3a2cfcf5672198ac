import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews } from '../../src/host/panel/conversation/entries.js';
import { depth } from '../support/depth.mjs';
import { inRuns } from '../support/forAll.js';
import { RunningClock, turn } from '../support/host/clocks.js';
import { at, attempt, CONTEXT_OPERATIONS, conversationOperations, userIdsOf, weighted } from '../support/host/operations.js';
import { EchoTool, wholeState } from '../support/host/reading.js';
import { lookUntil, useWindows, type Window } from '../support/host/window.js';
import { modelName } from '../../src/host/panel/shell/modelView.js';

interface Seat {
  readonly window: Window;
  readonly session: ChatSession;
}

const text = fc.constantFrom('/long 2', '/long 40', '/tool echo {"a": 1}', '/tool echo {}\n/error 500', '/error cut', 'Hello 🎈');

const inChat = fc.oneof(
  ...conversationOperations(text, { send: 5, change: 1 }),
  ...CONTEXT_OPERATIONS,
  weighted(1, at, (n) => (session) => session.rename(`Name ${String(n)}`)),
  weighted(1, at, (n) => (session) => session.changeConfig({ maxPromptTokens: 300 + (n % 100) })),
);

const looks = ({ window, session }: Seat): Promise<unknown> => window.chats.otherWindows.poll([session.id]);

const operation: fc.Arbitrary<(seat: Seat) => Promise<unknown>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(looks) },
  {
    weight: 12,
    arbitrary: inChat.map(
      (each) =>
        ({ session }: Seat) =>
          each(session, userIdsOf(session)),
    ),
  },
);

/** The window, and whether the next step waits for this one. */
const step = fc.record({ operation, isFirst: fc.boolean(), waits: fc.boolean() });

const entriesOf = ({ state }: ChatSession): unknown => new EntryViews(({ model }) => modelName(model, [])).derive(state, 1_000);

describe('a chat that two windows write to at once', () => {
  const windows = useWindows();

  /** The clock of the second window is an hour late: sequence numbers decide the order. */
  async function seats(): Promise<{ readonly first: Seat; readonly second: Seat }> {
    await windows.newFolder();
    const { window, session } = await windows.openChat({ tools: new EchoTool(), writerId: 'first', pid: process.ppid });
    const clock = new RunningClock();
    clock.time -= 3_600_000;
    const other = windows.open({ tools: new EchoTool(), writerId: 'second', clock });
    return { first: { window, session }, second: { window: other, session: await other.chats.open(session.id) } };
  }

  it('is in both what a third one reads from the disk, in full and as the panel shows it', async () => {
    await inRuns(depth({ short: 15, deep: 300 })).forAllAsync(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
      const { first, second } = await seats();
      // A message waits while the other window answers.
      const waited = (done: Promise<unknown>): Promise<void> => lookUntil(done, first.window, second.window);
      const going: Promise<unknown>[] = [];
      for (const each of steps) {
        const done = attempt(each.operation(each.isFirst ? first : second));
        going.push(done);
        await (each.waits ? waited(done) : turn());
      }
      await waited(Promise.all(going));
      await waited(Promise.all([first, second].map(({ session }) => session.compactor.settled())));
      await Promise.all([looks(first), looks(second)]);
      await Promise.all([looks(first), looks(second)]);
      const third = await windows.open({ writerId: 'third' }).chats.open(first.session.id);
      for (const { session, window } of [first, second]) {
        assert.deepEqual(wholeState(session.state), wholeState(third.state));
        assert.deepEqual(entriesOf(session), entriesOf(third));
        assert.deepEqual([session.faults, window.errors.filter(({ kind }) => kind === 'storage')], [[], []]);
      }
      await windows.closeAll();
    });
  }).timeout(60_000);
});
