import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contextWindow } from '../../src/engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../src/engine/chat/ledger.js';
import { manifestBlocksOf } from '../../src/engine/request/rebuild.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews } from '../../src/host/panel/conversation/entries.js';
import { replyWindowView } from '../../src/host/panel/conversation/replyWindow.js';
import { depth } from '../support/depth.mjs';
import { inRuns } from '../support/forAll.js';
import {
  at,
  attempt,
  CONTEXT_OPERATIONS,
  conversationOperations,
  userIdsOf,
  weighted,
  type Operation,
} from '../support/host/operations.js';
import { EchoTool, lastAccounting, wholeState } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';
import { modelName } from '../../src/host/panel/shell/modelView.js';

const text = fc.constantFrom(
  '/long 2',
  '/long 9',
  '/tool echo {"a": 1}',
  '/tool echo {}\n/error 500',
  '/error 429',
  '/error cut',
  'Hello 🎈',
);

const operation = fc.oneof(
  ...conversationOperations(text, { send: 4, change: 2 }),
  ...CONTEXT_OPERATIONS,
  fc.constant<Operation>((session) => session.conversation.continueRun()),
  weighted(1, text, (title) => (session) => session.rename(title)),
  weighted(
    1,
    at,
    (n) => (session) => session.changeConfig({ maxPromptTokens: 300 + 10 * (n % 100), cacheMode: n % 2 === 0 ? 'system' : 'cached' }),
  ),
);

const entriesOf = ({ state }: ChatSession): unknown => new EntryViews(({ model }) => modelName(model, [])).derive(state, 1_000);

const windowsOf = ({ state }: ChatSession): unknown => [
  contextWindow(state, manifestBlocksOf),
  new Map([...state.attempts].map(([id, each]) => [id, replyWindowView(each, state, () => null)])),
];

describe('a chat, whatever is done in it', () => {
  const windows = useWindows();

  it('is the same in memory and on the disk, in full and as the panel shows it', async () => {
    await inRuns(depth({ short: 12, deep: 200 })).forAllAsync(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      await windows.newFolder();
      const session = await windows.open({ tools: new EchoTool() }).chats.create();
      const live = new EntryViews(({ model }) => modelName(model, []));
      for (const each of operations) {
        await attempt(each(session, userIdsOf(session)));
        live.derive(session.state, 1_000);
      }
      await session.compactor.settled();
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
      assert.deepEqual(entriesOf(reopened), live.derive(session.state, 1_000));
      assert.deepEqual(windowsOf(reopened), windowsOf(session));
      assert.deepEqual([reopened.faults, reopened.state.problems], [[], []]);
      await windows.closeAll();
    });
  });

  it('notes with every step back the totals of the ledger at that moment', async () => {
    await inRuns(depth({ short: 10, deep: 150 })).forAllAsync(fc.array(operation, { minLength: 2, maxLength: 12 }), async (operations) => {
      await windows.newFolder();
      const session = await windows.open({ tools: new EchoTool() }).chats.create();
      for (const each of operations) {
        const totals = ledgerTotals(session.state);
        const before = session.state.rewinds.size;
        const isDone = await attempt(each(session, userIdsOf(session)));
        // A refused step is taken back without a note.
        if (isDone && session.state.rewinds.size > before) {
          assert.deepEqual(lastAccounting(session.state).totals, totals);
        }
      }
      await windows.closeAll();
    });
  });
});
