import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ledgerTotals } from '../../src/engine/accounting/ledger.js';
import { LoupeError } from '../../src/engine/errors.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews } from '../../src/host/view/entries.js';
import { EchoTool, lastAccounting, messages, wholeState } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';

type Operation = (session: ChatSession) => Promise<void>;

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];

const userIds = ({ state }: ChatSession): string[] => messages(state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));

const text = fc.constantFrom(
  '/long 2',
  '/long 9',
  '/tool echo {"a": 1}',
  '/tool echo {}\n/error 500',
  '/error 429',
  '/error cut',
  'Hello 🎈',
);
const at = fc.nat({ max: 99 });
const file = at.map(
  (n) =>
    ({ type: 'file', name: `f${String(n % 3)}`, includeMode: 'manual', addedHash: null, given: { inline: `text ${String(n)}` } }) as const,
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: text.map(
      (value): Operation =>
        (session) =>
          session.conversation.send(value),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(at, text).map(
      ([n, value]): Operation =>
        (session) =>
          session.conversation.edit(pick(userIds(session), n) ?? '', value),
    ),
  },
  {
    weight: 2,
    arbitrary: at.map(
      (n): Operation =>
        (session) =>
          session.conversation.retry(pick(userIds(session), n) ?? ''),
    ),
  },
  {
    weight: 2,
    arbitrary: at.map(
      (n): Operation =>
        (session) =>
          session.conversation.bringBack(pick([...session.state.rewinds.keys()], n) ?? ''),
    ),
  },
  fc.constant<Operation>((session) => session.conversation.continueRun()),
  file.map(
    (item): Operation =>
      (session) =>
        session.addContext(item),
  ),
  file.map(
    (item): Operation =>
      (session) =>
        session.removeContext(item),
  ),
  text.map(
    (title): Operation =>
      (session) =>
        session.rename(title),
  ),
  at.map(
    (n): Operation =>
      (session) =>
        session.changeConfig({ maxPromptTokens: 300 + 10 * n, cacheMode: n % 2 === 0 ? 'system' : 'cached' }),
  ),
);

/** What is not possible just now is refused, and that is fine. */
async function attempt(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (thrown) {
    if (thrown instanceof LoupeError && thrown.kind === 'invalidInput') {
      return false;
    }
    throw thrown;
  }
}

const entriesOf = ({ state }: ChatSession): unknown => new EntryViews(({ model }) => model.model).derive(state, 1_000);

describe('a chat, whatever is done in it', () => {
  const windows = useWindows();

  it('is the same in memory and on the disk, in full and as the panel shows it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        await windows.newFolder();
        const session = await windows.open({ tools: new EchoTool() }).chats.create();
        const live = new EntryViews(({ model }) => model.model);
        for (const each of operations) {
          await attempt(each(session));
          live.derive(session.state, 1_000);
        }
        const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
        assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
        assert.deepEqual(entriesOf(reopened), live.derive(session.state, 1_000));
        assert.deepEqual([reopened.faults, reopened.state.problems], [[], []]);
        await windows.closeAll();
      }),
      { numRuns: 40 },
    );
  });

  it('notes with every step back the totals of the ledger at that moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 12 }), async (operations) => {
        await windows.newFolder();
        const session = await windows.open({ tools: new EchoTool() }).chats.create();
        for (const each of operations) {
          const totals = ledgerTotals(session.state);
          const before = session.state.rewinds.size;
          await attempt(each(session));
          if (session.state.rewinds.size > before) {
            assert.deepEqual(lastAccounting(session.state).totals, totals);
          }
        }
        await windows.closeAll();
      }),
      { numRuns: 30 },
    );
  });
});
