import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writtenMessage } from '../../../src/engine/chat/message/message.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { ImportedFiles } from '../../../src/host/transfer/importedFiles.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { usedAttempts } from '../../../src/host/usage/usageState.js';
import { FIRST_QUERY } from '../../../src/protocol/usage/usage.js';
import { column } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { exported } from '../../support/host/exported.js';
import { writeAsOther } from '../../support/host/damage.js';
import { patient } from '../../support/host/otherWorkspace.js';
import { openPanel } from '../../support/host/panel.js';
import { EchoTool, messages } from '../../support/host/reading.js';
import { exportTo, WAYS } from '../../support/host/transfer.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { png } from '../../support/images.js';
import { readChat } from '../../support/storage/readChat.js';

describe('a chat that is imported from a file', () => {
  const windows = useWindows();
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'loupe-import-'));
  });
  afterEach(() => rm(place, { recursive: true }));

  function opened(writerId: string) {
    const window = windows.open({ writerId, models: BILLED_MODELS });
    const panel = openPanel(window, { currentChat: undefined });
    const told: [string, boolean][] = [];
    const files = new ImportedFiles({
      show: (path, watch) => panel.shown.importFile(path, watch),
      copying: (_, work) => work(patient()),
      tell: (text, isWarning) => told.push([text, isWarning]),
    });
    return { ...panel, window, files, told };
  }

  async function chatWith(...texts: readonly string[]): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const { window, session } = await windows.openChat({ tools: new EchoTool(), models: BILLED_MODELS });
    for (const text of texts) {
      await session.conversation.send(text);
    }
    return { window, session };
  }

  it('is on show, with an id of its own, the authors of its messages and where it comes from', async () => {
    const { window, session } = await chatWith('/long 2');
    const participant = { id: 'ada', name: 'Ada' };
    const message = { role: 'user', id: '1700000000000-aaaaaaaa', parts: [{ type: 'text', text: 'By me' }], author: 'ada' } as const;
    await writeAsOther(windows.folder, session.id, [
      { type: 'participant', participant },
      { type: 'message', runId: 'r-ada', message },
      { type: 'run-committed', runId: 'r-ada' },
    ]);
    await window.chats.otherWindows.poll([session.id]);
    const path = await exportTo(place, session, 'zip', window);
    await windows.newFolder();
    const { files, told, panel, window: here } = opened('later');
    const chatId = await files.import(path);
    const copy = panel.session;
    assert.ok(copy !== null && copy.id === chatId && chatId !== session.id);
    assert.deepEqual(told, [['"/long 2" was imported from Tides.zip.', false]]);
    assert.deepEqual([...copy.state.participants.values()], [participant]);
    assert.equal(messages(copy.state).find(({ id }) => id === message.id)?.role, 'user');
    assert.deepEqual(messages(copy.state), messages(session.state));
    assert.deepEqual(copy.state.importedFrom, { chatId: session.id, folders: session.state.folders });
    assert.equal((await readChat(here.store, chatId)).events.at(-1)?.type, 'imported');
    assert.deepEqual(column(here.chats.list(), 'id'), [chatId]);
  });

  it('can be continued, exported again, and imported by the window that continued it', async () => {
    const { window, session } = await chatWith('/long 2');
    const { files, panel, window: here } = opened('later');
    const first = await files.import(await exportTo(place, session, 'jsonLines', window));
    const copy = await here.chats.open(first);
    await copy.conversation.send('/long 3');
    const second = await files.import(await exportTo(place, copy, 'zip', here));
    await panel.session?.conversation.send('/long 4');
    assert.equal(new Set([session.id, first, second]).size, 3);
    const reopened = await windows.open({ writerId: 'last' }).chats.open(second);
    assert.deepEqual([messages(reopened.state).length, reopened.state.importedFrom?.chatId], [6, first]);
    assert.deepEqual([here.errors, reopened.faults, reopened.state.problems], [[], [], []]);
  });

  for (const format of ['jsonLines', 'zip'] as const) {
    it(`has the session files, fragments and names of its authors: ${format}`, async () => {
      const { window, session } = await chatWith('/long 2');
      await session.files.putFileContent('plan.md', { bytes: Buffer.from('# Plan'), mimeType: null, summary: null });
      await session.files.putFileContent('dot.png', { bytes: new Uint8Array([0, 1]), mimeType: null, summary: 'A dot' });
      await session.fragments.set('style', 'Write in rhymes.');
      await session.record([{ type: 'participant', participant: { id: 'ada', name: 'Ada' } }]);
      const { files, window: here } = opened('later');
      const copy = await here.chats.open(await files.import(await exportTo(place, session, format, window)));
      assert.deepEqual(copy.files.listFiles(), session.files.listFiles());
      assert.deepEqual([...(await copy.files.getFileContent('dot.png'))], [0, 1]);
      assert.deepEqual(copy.fragments.pieces(copy.state), session.fragments.pieces(session.state));
      assert.deepEqual([...copy.state.participants.values()], [{ id: 'ada', name: 'Ada' }]);
    });
  }

  for (const way of WAYS) {
    it(`has the images of its messages, byte for byte, and sends them: ${way}`, async () => {
      const { window, session } = await chatWith('/long 2');
      const bytes = png(3, 2, 0);
      const blob = await session.records.keepBlob(bytes);
      const image = { type: 'image', blob, mimeType: 'image/png', bytes: bytes.length, width: 3, height: 2, name: 'a.png' } as const;
      const message = writtenMessage('1700000000000-aaaaaaaa', [{ type: 'text', text: '/long 2' }, image]);
      await session.record([{ type: 'message-queued', message }]);
      await session.conversation.sendQueued(message.id);
      const path = await exportTo(place, session, way, window);
      await windows.newFolder();
      const { files, window: here } = opened('later');
      const copy = await here.chats.open(await files.import(path));
      assert.deepEqual(messages(copy.state), messages(session.state));
      assert.deepEqual(Buffer.from(await copy.records.blob(blob)), bytes);
      await copy.conversation.send('/long 3');
      assert.deepEqual(here.model.images.at(-1)?.get(blob), bytes.toString('base64'), 'the request contains the image');
    });
  }

  it('says what was lost of it, as a warning', async () => {
    const { window, session } = await chatWith(`/tool echo {"b": "${'much '.repeat(5_000)}"}`);
    const { bytes } = await exported(session, 'jsonLines', window, {});
    const lines = bytes.toString('utf8').split('\n');
    await writeFile(join(place, 'cut.jsonl'), lines.slice(0, -2).join('\n').slice(0, -10));
    const { files, told } = opened('later');
    await files.import(join(place, 'cut.jsonl'));
    assert.deepEqual(
      told.map(([text, isWarning]) => [text.replace(/^".*" was/, 'It was'), isWarning]),
      [['It was imported from cut.jsonl. Loupe skipped 1 damaged line of its log. 1 image or large text is missing or damaged.', true]],
    );
  });

  it('counts what it has cost once in the sums of all chats, also when the first one was deleted', async () => {
    const { window, session } = await chatWith('/long 2', '/long 3');
    const before = await window.chats.usage.all();
    assert.equal(before.attempts, 2);
    const path = await exportTo(place, session, 'zip', window);
    const { files, window: here } = opened('later');
    const chatId = await files.import(path);
    assert.deepEqual(await here.chats.usage.all(), before);
    await here.chats.delete(session.id);
    assert.deepEqual(await here.chats.usage.all(), before);
    const copy = await here.chats.open(chatId);
    await copy.conversation.send('/long 4');
    assert.equal((await here.chats.usage.all()).attempts, 3);
    const rows = new UsageRows(here.chats);
    await rows.readAll();
    const usage = {
      chats: rows.chats ?? [],
      titles: new Map(),
      isHere: () => true,
      now: () => 0,
      localTime: (at: number) => at,
      pricesOf: () => null,
      labelOf: () => '',
    };
    const count = (of: string | null): number =>
      usedAttempts({ ...FIRST_QUERY, chatId: of }, null, usage).filter((each) => of === null || each.chatId === of).length;
    assert.deepEqual([count(null), count(chatId), count(session.id)], [3, 3, 2]);
  });
});
