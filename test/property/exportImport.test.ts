import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { ledgerTotals } from '../../src/engine/chat/ledger.js';
import { LoupeError } from '../../src/engine/errors.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { depth } from '../support/depth.mjs';
import { stamp } from '../support/engine/events.js';
import { loggedDrafts, storyOf } from '../support/engine/randomLog.js';
import { inRuns } from '../support/forAll.js';
import { exported } from '../support/host/exported.js';
import {
  at,
  attempt,
  CONTEXT_OPERATIONS,
  conversationOperations,
  pick,
  userIdsOf,
  weighted,
  type Operation,
} from '../support/host/operations.js';
import { EchoTool, wholeState, lastAccounting } from '../support/host/reading.js';
import { exportTo, filesIn, WAYS, type Way } from '../support/host/transfer.js';
import { useWindows, type Window } from '../support/host/window.js';
import { contents as contentsOf } from '../unit/storage/fixtures.js';
import { UNWATCHED } from '../support/storage/readChat.js';
import { contextWindow } from '../../src/engine/accounting/contextWindow.js';
import { manifestBlocksOf } from '../../src/engine/request/rebuild.js';
import { EntryViews } from '../../src/host/panel/conversation/entries.js';
import { replyWindowView } from '../../src/engine/accounting/replyWindow.js';
import { modelName } from '../../src/host/panel/shell/modelView.js';

const CHAT = 'sess_1_aaaaaa';

const text = fc.constantFrom(
  '/long 2',
  '/long 9',
  '/tool echo {"a": 1}',
  `/tool echo {"b": "${'much '.repeat(5_000)}"}`,
  '/error 429',
  'Hello 🎈',
);

/** Becomes a blob, or stays in its line. */
const given = fc.constantFrom('short', 'long '.repeat(5_000), 'other '.repeat(5_000));

const operation = fc.oneof(
  ...conversationOperations(text, { send: 4, change: 1 }),
  ...CONTEXT_OPERATIONS,
  weighted(1, text, (title) => (session) => session.titler.rename(title)),
  weighted(
    1,
    given,
    (inline) => (session) => session.context.add({ type: 'file', name: 'big', includeMode: 'manual', addedHash: null, given: { inline } }),
  ),
  weighted(
    1,
    given,
    (text) => (session) => session.files.putFileContent('plan.md', { bytes: Buffer.from(text), mimeType: null, summary: null }),
  ),
  weighted(1, at, (n) => (session, ids) => (n % 3 === 0 ? session.marks.unpin(pick(ids, n) ?? '') : session.marks.pin(pick(ids, n) ?? ''))),
  // A summary of a short chat can fail, which is logged too.
  fc.constant<Operation>((session) =>
    session.compactor.summarize(null).catch((thrown: unknown) => {
      assert.ok(thrown instanceof LoupeError);
    }),
  ),
);

/** The chat without its id and workspace, which an import changes. */
function chatIn(session: ChatSession): unknown {
  const {
    chatId: _id,
    folders: _folders,
    importedFrom: _from,
    updatedAt: _at,
    ...rest
  } = wholeState(session.state) as Record<string, unknown>;
  return rest;
}

async function bodies(session: ChatSession): Promise<string[]> {
  return Promise.all([...session.state.attempts.keys()].map(async (id) => (await session.records.request(id)).rebuilt.body));
}

describe('a chat that is exported and imported', () => {
  const windows = useWindows();

  async function imported(from: Window, session: ChatSession, way: Way): Promise<{ readonly copy: ChatSession; readonly folder: string }> {
    const path = await exportTo(windows.folder, session, way, from);
    await windows.newFolder();
    const window = windows.open({ writerId: 'later' });
    const { session: copy, losses } = await window.chats.importFile(path, UNWATCHED);
    // Two windows that went back in the same chat can contradict each other. An import keeps that.
    assert.deepEqual([losses, copy.faults, copy.state.problems], [{ lines: 0, contents: 0 }, [], session.state.problems]);
    return { copy, folder: join(window.folder, 'chats', copy.id) };
  }

  it('has the same lines and the blobs that they name, byte for byte, whatever was logged in two windows', async () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 });
    const logs = fc.tuple(storyOf('a', true), storyOf('b', false), contents, contents);
    await inRuns(depth({ short: 15, deep: 300 })).forAllAsync(logs, fc.constantFrom(...WAYS), async ([one, other, named, unsent], way) => {
      await windows.newFolder();
      const folder = join(windows.folder, 'chats', CHAT);
      await mkdir(join(folder, 'blobs'), { recursive: true });
      const later = stamp(loggedDrafts(other), 'b').map((event) => ({ ...event, seq: event.seq + 1 }));
      const files = named.map((bytes) => {
        const content = { blob: blobName(bytes), bytes: bytes.length };
        return { type: 'session-file-put', runId: null, file: { path: content.blob, content, isBinary: true } } as const;
      });
      for (const events of [stamp([...loggedDrafts(one), ...files], 'a'), later].filter(({ length }) => length > 0)) {
        await writeFile(join(folder, `${events[0]!.writer}.jsonl`), Buffer.concat(events.map(encodeLine)));
      }
      for (const bytes of [...named, ...unsent]) {
        await writeFile(join(folder, 'blobs', blobName(bytes)), bytes);
      }
      const window = windows.open({});
      const session = await window.chats.open(CHAT);
      const before = await chatFiles(folder);
      for (const name of unsent.map(blobName).filter((each) => !files.some(({ file }) => file.path === each))) {
        before.delete(`blobs/${name}`);
      }
      const { folder: copied } = await imported(window, session, way);
      const after = await chatFiles(copied);
      assert.match(after.get('later.jsonl') ?? '', /^\{[^\n]*"type":"imported"[^\n]*\}\n$/);
      after.delete('later.jsonl');
      assert.deepEqual(after, before);
      await windows.closeAll();
    });
  });

  it('is the same chat, and rebuilds the same requests, whatever was done in it', async () => {
    await inRuns(depth({ short: 10, deep: 200 })).forAllAsync(
      fc.array(operation, { minLength: 1, maxLength: 10 }),
      fc.constantFrom(...WAYS),
      async (operations, way) => {
        await windows.newFolder();
        const { window, session } = await windows.openChat({ tools: new EchoTool() });
        for (const each of operations) {
          await attempt(each(session, userIdsOf(session)));
        }
        await session.compactor.settled();
        const { copy } = await imported(window, session, way);
        assert.deepEqual(chatIn(copy), chatIn(session));
        assert.deepEqual(await bodies(copy), await bodies(session));
        assert.deepEqual(ledgerTotals(copy.state), ledgerTotals(session.state));
        await windows.closeAll();
      },
    );
  });

  it('is exported the same again after an import, but for the line that tells of it', async () => {
    const { window, session } = await windows.openChat({ tools: new EchoTool() }, `/tool echo {"b": "${'much '.repeat(5_000)}"}`);
    const first = await filesIn((await exported(session, 'zip', window, {})).bytes);
    const path = await exportTo(windows.folder, session, 'zip', window);
    await windows.newFolder();
    const later = windows.open({ writerId: 'later' });
    const { session: copy } = await later.chats.importFile(path, UNWATCHED);
    const second = new Map(await filesIn((await exported(copy, 'zip', later, {})).bytes));
    const added = [...second.keys()].filter((name) => !first.has(name));
    assert.deepEqual(added, ['later.jsonl']);
    second.delete('later.jsonl');
    assert.deepEqual(second, first);
  });
});

function blobName(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Segments and blobs by name, without derived files. */
async function chatFiles(folder: string): Promise<Map<string, string>> {
  const all = Object.entries(await contentsOf(folder)).map(
    ([path, bytes]) => [path.slice(path.startsWith(folder) ? folder.length + 1 : 0), bytes] as const,
  );
  return new Map(all.filter(([name]) => name.endsWith('.jsonl') || name.startsWith('blobs')));
}

const anyText = fc.constantFrom(
  '/long 2',
  '/long 9',
  '/tool echo {"a": 1}',
  '/tool echo {}\n/error 500',
  '/error 429',
  '/error cut',
  'Hello 🎈',
);

const anyOperation = fc.oneof(
  ...conversationOperations(anyText, { send: 4, change: 2 }),
  ...CONTEXT_OPERATIONS,
  fc.constant<Operation>((session) => session.conversation.continueRun()),
  weighted(1, anyText, (title) => (session) => session.titler.rename(title)),
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
    await inRuns(depth({ short: 12, deep: 200 })).forAllAsync(
      fc.array(anyOperation, { minLength: 1, maxLength: 12 }),
      async (operations) => {
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
      },
    );
  });

  it('notes with every step back the totals of the ledger at that moment', async () => {
    await inRuns(depth({ short: 10, deep: 150 })).forAllAsync(
      fc.array(anyOperation, { minLength: 2, maxLength: 12 }),
      async (operations) => {
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
      },
    );
  });
});
