import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { isChatId } from '../../../src/engine/chat/order/ids.js';
import { ChatStore } from '../../../src/storage/chatStore.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import {
  CHAT,
  contents,
  DEAD_PID,
  HOST,
  makeStore,
  OTHER_CHAT,
  runCommitted,
  runStarted,
  SmallDisk,
  stamped,
  storeOptions,
  title,
  titles,
  useStore,
  writer,
  writeSegment,
} from './fixtures.js';
import { column, columns } from '../../support/columns.js';
import { created } from '../../support/engine/events.js';
import { rejection } from '../../support/rejection.js';
import { readChat } from '../../support/storage/readChat.js';

const CREATED = stamped(created(), 1, 'other');

describe('the chats of a workspace', () => {
  let root: string;
  let store: ChatStore;
  useStore((folder, made) => {
    [root, store] = [folder, made];
  });

  const chatPath = (name: string): string => join(root, 'chats', CHAT, name);

  async function save(chatId: string, text: string): Promise<void> {
    await store.journal(chatId).append([created(), title(text)], 'durable').written;
  }

  const segment = (writerId: string, lines: readonly (ChatEvent | string)[]): Promise<void> => writeSegment(root, CHAT, writerId, lines);

  describe('listed', () => {
    it('are none where nothing was ever stored', async () => {
      assert.deepEqual(await store.listChatIds(), []);
      assert.deepEqual(await makeStore(join(root, 'missing'), writer('me')).listChatIds(), []);
    });

    it('come oldest first', async () => {
      const ids = Array.from({ length: 9 }, (_, index) => `sess_170000000000${String(index)}_abc123`);
      for (const id of [...ids].reverse()) {
        await save(id, 'a');
      }
      assert.deepEqual(await store.listChatIds(), ids);
    });

    it('are an error, not none, where the storage cannot be read', async () => {
      await writeFile(join(root, 'file'), '');
      const error = await rejection(makeStore(join(root, 'file'), writer('me')).listChatIds());
      assert.equal(error.kind, 'storage');
      assert.match(error.message, /^The chats of this workspace could not be listed: /);
    });

    it('are only folders that are named like chats; other files are left alone', async () => {
      await save(CHAT, 'a');
      await mkdir(join(root, 'chats', 'notes'));
      await writeFile(join(root, 'chats', OTHER_CHAT), 'a file in the place of a chat');
      await writeFile(join(root, 'chats', 'readme.txt'), 'mine');
      await symlink(root, join(root, 'chats', 'sess_1_abcdef'));
      const before = await contents(root);
      assert.deepEqual(await store.listChatIds(), [CHAT]);
      await store.purgeDeleted();
      assert.deepEqual(await contents(root), before);
    });
  });

  describe('read', () => {
    it('are the union of their segments in log order', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other'), stamped(title('c'), 4, 'other')]);
      await segment('third', [stamped(title('b'), 3, 'third')]);
      const { events, faults, readOnly } = await readChat(store, CHAT);
      assert.deepEqual(titles(events), ['a', 'b', 'c']);
      assert.deepEqual(column(events, 'writer'), ['other', 'other', 'third', 'other']);
      assert.deepEqual([faults, readOnly], [[], null]);
    });

    it('are continued after everything that was read', async () => {
      await segment('other', [CREATED, stamped(title('a'), 41, 'other')]);
      await readChat(store, CHAT);
      const { events } = store.journal(CHAT).append([title('b')], 'written');
      assert.deepEqual(column(events, 'seq'), [42]);
    });

    it('include what this window could not save, once', async () => {
      const disk = new SmallDisk(Infinity);
      const failing = new ChatStore({ ...storeOptions(root, writer('failing')), files: disk });
      const journal = failing.journal(CHAT);
      disk.syncFails = true;
      await rejection(journal.append([created(), title('in the file, not on the disk')], 'durable').written);
      disk.room = 0;
      await rejection(journal.append([title('in memory')], 'written').written);
      const { events } = await readChat(failing, CHAT);
      assert.deepEqual(titles(events), ['in the file, not on the disk', 'in memory']);
      Object.assign(disk, { room: Infinity, syncFails: false });
      await failing.close();
      assert.deepEqual(titles((await readChat(store, CHAT)).events), titles(events));
    });

    it('ignore files that are no segments', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other')]);
      await writeFile(chatPath('other copy.jsonl'), encodeLine(stamped(title('x'), 9, 'x')));
      await writeFile(chatPath('OTHER.jsonl'), encodeLine(stamped(title('x'), 9, 'x')));
      await writeFile(chatPath('notes.txt'), 'x');
      assert.deepEqual(titles((await readChat(store, CHAT)).events), ['a']);
    });

    it('name each damaged line with its segment', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other'), 'garbage\n', stamped(title('b'), 3, 'other')]);
      const { events, faults } = await readChat(store, CHAT);
      assert.deepEqual(titles(events), ['a', 'b']);
      assert.deepEqual(columns(faults, 'segment', 'line'), [['other.jsonl', 3]]);
    });

    it('count an unfinished last line as torn once its writer is gone, not while it writes', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other'), '{"v":1,"se']);
      assert.deepEqual(column((await readChat(store, CHAT)).faults, 'kind'), ['torn']);
      await writeFile(chatPath('other.alive'), JSON.stringify({ pid: process.ppid, host: HOST }));
      assert.deepEqual((await readChat(store, CHAT)).faults, []);
    });

    it('load without a segment that cannot be read, and cannot be continued', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other')]);
      await mkdir(chatPath('third.jsonl'));
      const { events, faults, readOnly } = await readChat(store, CHAT);
      assert.deepEqual(titles(events), ['a']);
      assert.deepEqual(columns(faults, 'segment', 'line', 'kind'), [['third.jsonl', null, 'unreadable']]);
      assert.match(readOnly ?? '', /a folder exists where a file is expected/);
    });

    it('are an error where there is no history', async () => {
      assert.match((await rejection(readChat(store, CHAT))).message, /contains no log/);
      await mkdir(join(root, 'chats', CHAT), { recursive: true });
      assert.match((await rejection(readChat(store, CHAT))).message, /contains no log/);
    });

    it('are named by chat ids only', async () => {
      for (const id of ['..', '', `../${CHAT}`, `${CHAT}/..`, `${CHAT}\0`, `${CHAT}\n`, CHAT.toUpperCase()]) {
        assert.equal(isChatId(id), false);
        assert.equal((await rejection(readChat(store, id))).kind, 'invalidInput');
        assert.equal((await rejection(store.deleteChat(id))).kind, 'invalidInput');
        assert.throws(() => store.journal(id), { kind: 'invalidInput' });
        assert.throws(() => store.blobs(id), { kind: 'invalidInput' });
      }
    });
  });

  describe('continued in a newer version', () => {
    const newer = { ...stamped(title('later'), 3, 'other'), v: LOG_VERSION + 1 };

    it('can be read but not written, and their files stay as they are', async () => {
      await segment('other', [CREATED, stamped(title('a'), 2, 'other'), newer]);
      const before = await contents(root);
      const { events, readOnly } = await readChat(store, CHAT);
      assert.deepEqual(titles(events), ['a']);
      assert.match(readOnly ?? '', /newer version/);
      const error = await rejection(store.journal(CHAT).append([title('b')], 'durable').written);
      assert.equal(error.message, readOnly);
      await rejection(store.blobs(CHAT).put(Buffer.from('b')));
      assert.deepEqual(await contents(root), before);
    });

    it('can be written again when that part is gone', async () => {
      await segment('other', [CREATED, newer]);
      await readChat(store, CHAT);
      await segment('other', [CREATED, stamped(title('a'), 2, 'other')]);
      await readChat(store, CHAT);
      await store.journal(CHAT).append([title('b')], 'durable').written;
      assert.deepEqual(titles((await readChat(store, CHAT)).events), ['a', 'b']);
    });

    it('do not keep others from being written', async () => {
      await segment('other', [CREATED, newer]);
      await readChat(store, CHAT);
      await save(OTHER_CHAT, 'b');
      assert.deepEqual(titles((await readChat(store, OTHER_CHAT)).events), ['b']);
    });
  });

  describe('with open runs', () => {
    it('tell which, who wrote them and whether he lives', async () => {
      await segment('other', [CREATED, stamped(runStarted('r1'), 2, 'other'), stamped(runStarted('r2'), 3, 'other')]);
      await segment('third', [stamped(runCommitted('r1'), 4, 'third')]);
      assert.deepEqual((await readChat(store, CHAT)).openRuns, [{ runId: 'r2', writer: 'other', state: 'dead' }]);
      await writeFile(chatPath('other.alive'), JSON.stringify({ pid: process.ppid, host: HOST }));
      assert.deepEqual((await readChat(store, CHAT)).openRuns, [{ runId: 'r2', writer: 'other', state: 'alive' }]);
      await writeFile(chatPath('other.alive'), JSON.stringify({ pid: DEAD_PID, host: HOST }));
      assert.deepEqual((await readChat(store, CHAT)).openRuns, [{ runId: 'r2', writer: 'other', state: 'dead' }]);
    });

    it('belong to the writer who started them, whoever else wrote to them', async () => {
      await segment('other', [CREATED, stamped(runStarted('r'), 2, 'other')]);
      await segment('third', [stamped(runStarted('r'), 3, 'third')]);
      assert.deepEqual(column((await readChat(store, CHAT)).openRuns, 'writer'), ['other']);
    });

    it('of this window are alive', async () => {
      await store.journal(CHAT).append([created(), runStarted('r')], 'written').written;
      assert.deepEqual((await readChat(store, CHAT)).openRuns, [{ runId: 'r', writer: 'me', state: 'alive' }]);
    });
  });

  describe('deleted', () => {
    it('are not listed, read or written any more, in no window', async () => {
      await save(CHAT, 'a');
      const other = makeStore(root, writer('other'));
      await readChat(other, CHAT);
      await store.deleteChat(CHAT);
      for (const window of [store, other]) {
        assert.deepEqual(await window.listChatIds(), []);
        assert.equal((await rejection(readChat(window, CHAT))).message, 'This chat was deleted.');
        const { written } = window.journal(CHAT).append([title('late')], 'durable');
        assert.equal((await rejection(written)).message, 'This chat was deleted.');
        assert.equal((await rejection(window.blobs(CHAT).put(Buffer.from('x')))).message, 'This chat was deleted.');
      }
      await other.close();
    });

    it('are marked so on the disk before that is reported', async () => {
      const disk = new SmallDisk(Infinity);
      const window = new ChatStore({ ...storeOptions(root, writer('other')), files: disk });
      await window.deleteChat(CHAT);
      assert.equal(disk.log.at(-1), 'sync');
      assert.deepEqual(disk.syncedFolders, [join(root, 'chats')]);
    });

    it('are not marked at all when that fails', async () => {
      const window = new ChatStore({ ...storeOptions(root, writer('other')), files: new SmallDisk(5) });
      await save(CHAT, 'a');
      const error = await rejection(window.deleteChat(CHAT));
      assert.equal(error.message, 'The chat could not be deleted: the disk is full.');
      assert.deepEqual(await store.listChatIds(), [CHAT]);
      assert.deepEqual(await readdir(join(root, 'chats')), [CHAT]);
    });

    it('come back whole when that is undone, with what was refused meanwhile', async () => {
      await save(CHAT, 'a');
      await store.deleteChat(CHAT);
      await rejection(store.journal(CHAT).append([title('b')], 'written').written);
      await store.undeleteChat(CHAT);
      assert.deepEqual(await store.listChatIds(), [CHAT]);
      assert.deepEqual(titles((await readChat(store, CHAT)).events), ['a', 'b']);
      assert.equal(store.journal(CHAT).pendingEvents.length, 0);
    });

    it('may be brought back though they never were deleted', async () => {
      await store.undeleteChat(CHAT);
      await save(CHAT, 'a');
      assert.deepEqual(await store.listChatIds(), [CHAT]);
    });

    it('are removed when the window closes; their mark stays, so that no late writer brings them back', async () => {
      await save(CHAT, 'a');
      await save(OTHER_CHAT, 'b');
      const late = makeStore(root, writer('late'));
      await readChat(late, CHAT);
      await store.deleteChat(CHAT);
      await store.close();
      assert.deepEqual((await readdir(join(root, 'chats'))).sort(), [OTHER_CHAT, `${CHAT}.deleted`].sort());
      await rejection(late.journal(CHAT).append([title('late')], 'durable').written);
      assert.deepEqual((await readdir(join(root, 'chats'))).sort(), [OTHER_CHAT, `${CHAT}.deleted`].sort());
      await late.close();
    });

    it('are closed before they are removed', async () => {
      const journal = store.journal(CHAT);
      await journal.append([created(), runStarted('r')], 'durable').written;
      await store.deleteChat(CHAT);
      await store.purgeDeleted();
      assert.throws(() => journal.append([title('late')], 'written'), { kind: 'internal' });
      assert.deepEqual(await readdir(join(root, 'chats')), [`${CHAT}.deleted`]);
    });

    it('stay while another window can still bring them back, and go when it is gone', async () => {
      await save(CHAT, 'a');
      const other = makeStore(root, { writerId: 'other', pid: DEAD_PID, host: HOST });
      await makeStore(root, { writerId: 'living', pid: process.ppid, host: HOST }).deleteChat(CHAT);
      await other.purgeDeleted();
      assert.ok((await readdir(join(root, 'chats'))).includes(CHAT));
      await makeStore(root, { writerId: 'dead', pid: DEAD_PID - 1, host: HOST }).deleteChat(CHAT);
      await other.purgeDeleted();
      assert.ok(!(await readdir(join(root, 'chats'))).includes(CHAT));
    });
  });

  it('refuse a writer whose id cannot be a file name', () => {
    for (const id of ['', '../x', 'A', 'a.b', 'x'.repeat(65)]) {
      assert.throws(() => makeStore(root, writer(id)), { kind: 'internal' }, id);
    }
  });

  it('report what could not be saved when the window closes, after saving the others', async () => {
    const failing = makeStore(root, writer('failing'));
    // A file in the place of the chat's folder.
    await mkdir(join(root, 'chats'));
    await writeFile(join(root, 'chats', CHAT), '');
    await rejection(failing.journal(CHAT).append([title('a')], 'written').written);
    void failing.journal(OTHER_CHAT).append([created(), title('b')], 'written');
    assert.equal((await rejection(failing.close())).kind, 'storage');
    assert.deepEqual(titles((await readChat(store, OTHER_CHAT)).events), ['b']);
  });
});
