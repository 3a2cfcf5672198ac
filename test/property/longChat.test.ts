import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ledgerTotals } from '../../src/engine/accounting/ledger.js';
import { conversationIn } from '../../src/engine/chat/state.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EntryViews, type ShownEntries } from '../../src/host/panel/entries.js';
import { at, attempt, conversationOperations, weighted, type Operation } from '../support/host/operations.js';
import { EchoTool, messages, wholeState } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';
import { modelName } from '../../src/host/panel/modelView.js';

const TURNS = 100;
const SHOWN = 50;

/** Bytes of log between two restore points: some exchanges. */
const STEP = 8_000;

const text = fc.constantFrom('/long 2', '/tool echo {"a": 1}', '/error 500', 'Hello 🎈');

const operation = fc.oneof(
  ...conversationOperations(text, { send: 3, change: 2 }),
  fc.constant<Operation>((session) => session.whole()),
  weighted(1, at, (n) => (session) => session.changeConfig({ maxPromptTokens: 500 + 20 * (n % TURNS) })),
  weighted(1, text, (value) => (session) => session.rename(value)),
);

const shown = (session: ChatSession, limit: number): ShownEntries =>
  new EntryViews(({ model }) => modelName(model, [])).derive(session.state, limit);

/**
 * Both show the same end of the conversation, and tell of as much before it. An edit in the end of an open chat may leave
 * less than a page of it in memory: the rest is read when it is asked for.
 */
function assertShowSameEnd(reopened: ChatSession, session: ChatSession): void {
  const [one, other] = [shown(reopened, SHOWN).entries.length, shown(session, SHOWN).entries.length];
  const both = Math.min(one, other);
  assert.ok(both > 0);
  assert.deepEqual(shown(reopened, both), shown(session, both));
  assert.ok(one === other || [reopened, session].some(({ state }) => state.extent === 'end'), 'a whole chat shows a page');
  const { state } = reopened;
  const isAll = state.extent === 'whole' || state.earlier.messages === 0;
  assert.ok(isAll || conversationIn(state.timeline) >= SHOWN, 'a chat opens with a page of messages, or with all that it has');
}

describe('a long chat that opens to its end', () => {
  const windows = useWindows();
  let original = '';
  let chatId = '';
  let userIds: readonly string[] = [];

  before(async () => {
    await windows.newFolder();
    const window = windows.open({ writerId: 'first' });
    const session = await window.chats.create();
    chatId = session.id;
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await session.conversation.send(turn % 10 === 0 ? `/error ${turn % 20 === 0 ? '500' : 'cut'}` : `/long ${String(turn)}`);
    }
    userIds = messages(session.state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));
    original = await mkdtemp(join(tmpdir(), 'loupe-long-'));
    await cp(windows.folder, original, { recursive: true });
    await windows.closeAll();
  });

  after(async () => {
    await rm(original, { recursive: true });
  });

  /** A window on a copy of the chat, with a restore point. */
  async function openCopy(): Promise<Window> {
    await windows.newFolder();
    await cp(original, windows.folder, { recursive: true });
    const window = windows.open({ writerId: 'second', tools: new EchoTool(), restoreStep: STEP });
    await window.store.updateDerived(chatId, SHOWN);
    return window;
  }

  it('has read only its end, and tells of the rest', async () => {
    const session = await (await openCopy()).chats.open(chatId);
    assert.ok(messages(session.state).length < TURNS, String(messages(session.state).length));
    const whole = await windows.open({ writerId: 'third' }).chats.open(chatId);
    await whole.whole();
    assert.equal(messages(whole.state).filter(({ role }) => role === 'user').length, TURNS);
    assert.deepEqual(ledgerTotals(session.state), ledgerTotals(whole.state));
    assert.deepEqual(shown(session, SHOWN), shown(whole, SHOWN));
  });

  it('is in the end what the whole chat is, whatever is done in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), fc.boolean(), async (operations, isRestored) => {
        const window = await openCopy();
        const session = await window.chats.open(chatId);
        for (const each of operations) {
          await attempt(each(session, userIds));
        }
        const reader = windows.open({ writerId: 'reader', restoreStep: STEP });
        if (isRestored) {
          await reader.store.updateDerived(chatId, SHOWN);
        }
        const reopened = await reader.chats.open(chatId);
        assertShowSameEnd(reopened, session);
        await Promise.all([session, reopened].map((each) => each.whole()));
        assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
        assert.deepEqual([window.errors.filter(({ kind }) => kind === 'internal'), reopened.faults, reopened.state.problems], [[], [], []]);
        await windows.closeAll();
      }),
      { numRuns: 30 },
    );
  });

  it('has in each request what the whole chat would have in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 20_000 }), async (maxPromptTokens) => {
        const session = await (await openCopy()).chats.open(chatId);
        const whole = await windows.open({ writerId: 'third' }).chats.open(chatId);
        await whole.whole();
        await session.changeConfig({ maxPromptTokens });
        await whole.changeConfig({ maxPromptTokens });
        const [part, all] = await Promise.all([session, whole].map((each) => each.preview({ text: 'Next', editing: null })));
        assert.equal(part!.isPartial && part!.size.tokens <= part!.budget, false, 'what has room is read');
        assert.equal(part!.size.tokens > part!.budget, all!.size.tokens > all!.budget);
        if (!part!.isPartial) {
          assert.equal(part!.wire().body, all!.wire().body);
        }
        await windows.closeAll();
      }),
      { numRuns: 10 },
    );
  });

  it('follows another window that goes back behind what was read', async () => {
    const window = await openCopy();
    const session = await window.chats.open(chatId);
    const other = windows.open({ writerId: 'other' });
    await (await other.chats.open(chatId)).conversation.edit(userIds[2]!, '/long 3');
    await window.chats.otherWindows.poll([chatId]);
    assert.deepEqual(shown(session, SHOWN), shown(await other.chats.open(chatId), SHOWN));
    await session.conversation.send('/long 4');
    await other.chats.otherWindows.poll([chatId]);
    assert.deepEqual(shown(await other.chats.open(chatId), SHOWN), shown(session, SHOWN));
  });

  it('gives the exact request of a reply that was not read yet, and forks there', async () => {
    const window = await openCopy();
    const session = await window.chats.open(chatId);
    const whole = await windows.open({ writerId: 'third' }).chats.open(chatId);
    await whole.whole();
    const early = messages(whole.state).find(({ role }) => role === 'assistant')!;
    const { rebuilt } = await session.request(early.id);
    assert.equal(rebuilt.note, null);
    assert.equal(rebuilt.body, (await whole.request(early.id)).rebuilt.body);
    const forked = await window.chats.fork(session, early.id);
    assert.equal(messages(forked.state).length, 2);
  });
});
