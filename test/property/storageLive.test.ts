import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LoupeError } from '../../src/engine/errors.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews } from '../../src/host/view/entries.js';
import { RunningClock } from '../support/host/clocks.js';
import { EchoTool, messages, wholeState } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';

interface Seat {
  readonly window: Window;
  readonly session: ChatSession;
}

type Operation = (seat: Seat) => Promise<void>;

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];

const userIds = ({ state }: ChatSession): string[] => messages(state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));

const text = fc.constantFrom('/long 2', '/long 40', '/tool echo {"a": 1}', '/tool echo {}\n/error 500', '/error cut', 'Hello 🎈');
const at = fc.nat({ max: 99 });
const file = at.map(
  (n) =>
    ({ type: 'file', name: `f${String(n % 3)}`, includeMode: 'manual', addedHash: null, given: { inline: `text ${String(n)}` } }) as const,
);
const looks: Operation = ({ window, session }) => window.chats.otherWindows.look([session.id]);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(looks) },
  {
    weight: 5,
    arbitrary: text.map(
      (value): Operation =>
        ({ session }) =>
          session.conversation.send(value),
    ),
  },
  at.map(
    (n): Operation =>
      ({ session }) =>
        session.conversation.retry(pick(userIds(session), n) ?? ''),
  ),
  at.map(
    (n): Operation =>
      ({ session }) =>
        session.conversation.edit(pick(userIds(session), n) ?? '', 'edited'),
  ),
  at.map(
    (n): Operation =>
      ({ session }) =>
        session.conversation.bringBack(pick([...session.state.rewinds.keys()], n) ?? ''),
  ),
  file.map(
    (item): Operation =>
      ({ session }) =>
        session.addContext(item),
  ),
  file.map(
    (item): Operation =>
      ({ session }) =>
        session.removeContext(item),
  ),
  at.map(
    (n): Operation =>
      ({ session }) =>
        session.rename(`Name ${String(n)}`),
  ),
  at.map(
    (n): Operation =>
      ({ session }) =>
        session.changeConfig({ maxPromptTokens: 300 + n }),
  ),
);

/** Which window does it, and whether the next one waits for its end. */
const step = fc.record({ operation, isFirst: fc.boolean(), waits: fc.boolean() });

/** What is not possible just now is refused, and that is fine. */
async function attempt(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (thrown) {
    if (!(thrown instanceof LoupeError) || thrown.kind !== 'invalidInput') {
      throw thrown;
    }
  }
}

const entriesOf = ({ state }: ChatSession): unknown => new EntryViews(({ model }) => model.model).derive(state, 1_000);

describe('a chat that two windows write to at once', () => {
  const windows = useWindows();

  /** The clock of the second window is an hour late: order is by sequence number. */
  async function seats(): Promise<{ readonly first: Seat; readonly second: Seat }> {
    await windows.newFolder();
    const window = windows.open({ tools: new EchoTool(), writerId: 'first', pid: process.ppid });
    const session = await window.chats.create();
    const clock = new RunningClock();
    clock.time -= 3_600_000;
    const other = windows.open({ tools: new EchoTool(), writerId: 'second', clock });
    return { first: { window, session }, second: { window: other, session: await other.chats.open(session.id) } };
  }

  it('is in both what a third one reads from the disk, in full and as the panel shows it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
        const { first, second } = await seats();
        const going: Promise<void>[] = [];
        for (const each of steps) {
          const done = attempt(each.operation(each.isFirst ? first : second));
          going.push(done);
          await (each.waits ? done : new Promise(setImmediate));
        }
        await Promise.all(going);
        await Promise.all([looks(first), looks(second)]);
        await Promise.all([looks(first), looks(second)]);
        const third = await windows.open({ writerId: 'third' }).chats.open(first.session.id);
        for (const { session, window } of [first, second]) {
          assert.deepEqual(wholeState(session.state), wholeState(third.state));
          assert.deepEqual(entriesOf(session), entriesOf(third));
          assert.deepEqual([session.faults, window.errors.filter(({ kind }) => kind === 'storage')], [[], []]);
        }
        await windows.closeAll();
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);
});
