import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import type { CopyWatch } from '../../src/storage/files/copyWatch.js';
import { CurrentChatFile } from '../../src/storage/currentChat.js';
import { DraftFiles } from '../../src/storage/drafts.js';
import { findChats } from '../../src/storage/transfer/foundChats.js';
import type { SearchResult } from '../../src/storage/search/search.js';
import { columns } from '../support/columns.js';
import { created, logged } from '../support/engine/events.js';
import { user } from '../support/engine/messages.js';
import { rejection } from '../support/rejection.js';
import {
  CHAT,
  HOST,
  makeFolder,
  OTHER_CHAT,
  removeFolder,
  runStarted,
  stamped,
  storeOptions,
  title,
  titles,
  writer,
  writeSegment,
} from '../unit/storage/fixtures.js';
import { readChat, UNWATCHED } from '../support/storage/readChat.js';

const THIRD_CHAT = 'sess_1500000000000_00ff00';
const CREATED = stamped({ ...created(), chatId: CHAT }, 1, 'other');
const NOT_REGULAR = 'it is not a regular file';
const unwatched: CopyWatch = { signal: new AbortController().signal, progress: () => undefined };

/** Reading each of them would wait, never end, or fail in its own way. */
const THINGS = [
  { name: 'a pipe', reason: NOT_REGULAR },
  { name: 'a link to a device without an end', reason: NOT_REGULAR },
  { name: 'a socket', reason: NOT_REGULAR },
  { name: 'a folder', reason: 'a folder exists where a file is expected' },
] as const;

type Thing = (typeof THINGS)[number]['name'];

const isWindows = process.platform === 'win32';

describe('a file of a chat that is no regular file', () => {
  let root: string;
  let store: ChatStore;
  let server: Server | null;
  let reports: string[];
  beforeEach(async () => {
    root = await makeFolder();
    server = null;
    reports = [];
    store = newStore();
    await writeSegment(root, CHAT, 'other', [CREATED, stamped(title('a'), 2, 'other'), ...said('needle', 3)]);
    await store.journal(OTHER_CHAT).append([created(), title('b'), logged(null, user('m', 'a needle'))], 'durable').written;
  });
  afterEach(async () => {
    await store.close();
    server?.close();
    await removeFolder(root);
  });

  function newStore(): ChatStore {
    return new ChatStore({ ...storeOptions(root, writer('me')), restoreStep: 1, report: ({ message }) => reports.push(message) });
  }

  async function restart(): Promise<void> {
    await store.close();
    store = newStore();
  }

  async function openedExtent(): Promise<string> {
    return (await store.openEnd(CHAT, UNWATCHED)).fold.state.extent;
  }

  const path = (...names: string[]): string => join(root, 'chats', CHAT, ...names);

  function said(text: string, seq: number): ReturnType<typeof stamped>[] {
    return Array.from({ length: 4 }, (_, index) => stamped(logged(null, user(`q${String(seq + index)}`, text)), seq + index, 'other'));
  }

  async function put(thing: Thing, place: string): Promise<void> {
    await mkdir(dirname(place), { recursive: true });
    switch (thing) {
      case 'a pipe':
        assert.equal(spawnSync('mkfifo', [place]).status, 0);
        break;
      case 'a link to a device without an end':
        await symlink('/dev/zero', place);
        break;
      case 'a socket':
        // A link, because the path of a socket must be short.
        server ??= createServer().listen(join(root, 'socket'));
        await (server.listening ? Promise.resolve() : once(server, 'listening'));
        await symlink(join(root, 'socket'), place);
        break;
      case 'a folder':
        await mkdir(place);
        break;
    }
  }

  const search = (): Promise<SearchResult> => store.search({ text: 'needle', role: null, limit: 50 }, [], new AbortController().signal);

  for (const { name, reason } of isWindows ? THINGS.filter((thing) => thing.name === 'a folder') : THINGS) {
    describe(`but ${name}`, () => {
      it('as a segment is a fault of its chat, which is read without it and not continued', async () => {
        await put(name, path('third.jsonl'));
        assert.deepEqual(await store.listChatIds(), [OTHER_CHAT, CHAT]);
        assert.match(await store.fingerprint(CHAT), /third\.jsonl/);
        const { events, faults, readOnly } = await readChat(store, CHAT);
        assert.deepEqual(titles(events), ['a']);
        assert.deepEqual(faults, [{ segment: 'third.jsonl', line: null, kind: 'unreadable', reason }]);
        assert.equal(readOnly, `A part of this chat cannot be read: ${reason}. You can read the rest, but not continue it.`);
        assert.equal((await readChat(store, OTHER_CHAT)).readOnly, null);
      });

      it('as its only segment is the reason why a chat does not open', async () => {
        await rename(path('other.jsonl'), join(root, 'elsewhere'));
        await put(name, path('other.jsonl'));
        for (const error of [await rejection(store.openEnd(CHAT, UNWATCHED)), await rejection(store.row(CHAT))]) {
          assert.deepEqual([error.kind, error.message], ['storage', `This chat could not be opened: ${reason} (other.jsonl).`]);
        }
        // Else it would not be listed.
        assert.equal(await store.isBeingCreated(CHAT), false);
        assert.equal((await store.openEnd(OTHER_CHAT, UNWATCHED)).readOnly, null);
      });

      it('as a segment that comes later is a fault of the chat that has a restore point, and where it is open', async () => {
        await store.updateDerived(CHAT, 1);
        const before = await store.openEnd(CHAT, UNWATCHED);
        assert.equal(before.fold.state.extent, 'end');
        await put(name, path('third.jsonl'));
        assert.equal(await store.readGrowth(CHAT, before.position), null);
        const after = await store.openEnd(CHAT, UNWATCHED);
        assert.deepEqual(columns(after.faults, 'segment', 'reason'), [['third.jsonl', reason]]);
        // It is not read whole each time.
        assert.deepEqual((await store.readGrowth(CHAT, after.position))?.events, []);
      });

      it('in the place of a segment that was read before makes the chat be read anew', async () => {
        const before = await readChat(store, CHAT);
        await rm(path('other.jsonl'));
        await put(name, path('other.jsonl'));
        assert.equal(await store.readGrowth(CHAT, before.position), null);
      });

      it('as a segment is named by a search, which finds the rest', async () => {
        await put(name, path('third.jsonl'));
        const { hits, failures } = await search();
        assert.deepEqual([...new Set(hits.map(({ chatId }) => chatId))].sort(), [OTHER_CHAT, CHAT]);
        const told = failures.map(({ error }) => error.message);
        assert.deepEqual(told, [`A part of chat ${CHAT} could not be searched: ${reason}.`]);
      });

      it('as the restore point is as good as none', async () => {
        await store.updateDerived(CHAT, 1);
        await restart();
        assert.equal(await openedExtent(), 'end');
        await rm(path('restore-point.json'));
        await put(name, path('restore-point.json'));
        await restart();
        const { fold, readOnly, faults } = await store.openEnd(CHAT, UNWATCHED);
        assert.deepEqual([fold.state.extent, readOnly, faults], ['whole', null, []]);
        await store.updateDerived(CHAT, 1);
        await restart();
        // A folder is not removed, because it can contain a user's files.
        const isInTheWay = name === 'a folder';
        assert.equal(await openedExtent(), isInTheWay ? 'whole' : 'end');
        assert.equal(reports.length, isInTheWay ? 1 : 0);
      });

      it('as the row in the list is as good as none', async () => {
        const row = await store.row(CHAT);
        await rm(path('row.json'));
        await put(name, path('row.json'));
        await restart();
        assert.deepEqual(await store.row(CHAT), row);
        const isInTheWay = name === 'a folder';
        assert.equal((await stat(path('row.json'))).isFile(), !isInTheWay);
        assert.equal(reports.length, isInTheWay ? 1 : 0);
      });

      it('as a sign of life is none: no writer has made it', async () => {
        await writeSegment(root, CHAT, 'other', [CREATED, stamped(runStarted('r'), 2, 'other')]);
        await put(name, path('other.alive'));
        assert.deepEqual((await readChat(store, CHAT)).openRuns, [{ runId: 'r', writer: 'other', state: 'dead' }]);
        // Sizes count while no run is active.
        assert.match(await store.fingerprint(CHAT), /other\.jsonl:/);
      });

      it('as a blob is not given, and nothing is kept under its name', async () => {
        const blobs = store.blobs(CHAT);
        const sha = await blobs.put(Buffer.from('a result'));
        await rm(path('blobs', sha));
        await put(name, path('blobs', sha));
        assert.equal((await rejection(blobs.get(sha))).message, `Saved content of this chat could not be read (${sha}): ${reason}.`);
        assert.equal(
          (await rejection(blobs.put(Buffer.from('a result')))).message,
          `An attachment or a tool result could not be saved: ${reason}.`,
        );
      });

      it('as a draft, or as the file of the chat on show last, is told', async () => {
        await put(name, path('draft.json'));
        await put(name, join(root, 'current-chat'));
        assert.equal((await rejection(new DraftFiles(root).read(CHAT))).message, `The draft of this chat could not be read: ${reason}.`);
        assert.equal(await new DraftFiles(root).read(OTHER_CHAT), '');
        assert.equal((await rejection(new CurrentChatFile(root).read())).message, `The last open chat could not be found: ${reason}.`);
      });

      it('as a mark of deletion is one that nobody is known to have made: its chat is kept, the others go', async () => {
        await writeSegment(root, THIRD_CHAT, 'other', [CREATED]);
        await put(name, join(root, 'chats', `${CHAT}.deleted`));
        await store.deleteChat(THIRD_CHAT);
        assert.deepEqual(await store.listChatIds(), [OTHER_CHAT]);
        await store.purgeDeleted();
        const left = await readdir(join(root, 'chats'));
        assert.deepEqual([left.includes(CHAT), left.includes(THIRD_CHAT)], [true, false]);
      });

      for (const place of ['third.jsonl', join('blobs', 'f'.repeat(64)), 'draft.json']) {
        it(`as ${place.replace(/f{64}/, '…')} of a chat of another workspace is why that is not imported`, async () => {
          await put(name, path(place));
          const target = await makeFolder();
          const here = new ChatStore(storeOptions(target, writer('here')));
          const error = await rejection(here.transfers.importChat(path(), { chatId: THIRD_CHAT, folders: [] }, unwatched));
          assert.equal(error.message, `A part of this chat cannot be read: ${place} is not a regular file (${path()}).`);
          assert.deepEqual(await readdir(join(target, 'chats')), []);
          await here.transfers.importChat(join(root, 'chats', OTHER_CHAT), { chatId: THIRD_CHAT, folders: [] }, unwatched);
          assert.deepEqual(titles((await readChat(here, THIRD_CHAT)).events), ['b']);
          await here.close();
          await removeFolder(target);
        });
      }

      it('as a segment of a chat of another workspace is why that is counted among those not read; others are found', async () => {
        await put(name, path('third.jsonl'));
        const told: string[] = [];
        const { chats, unread } = await findChats([root], ({ message }) => told.push(message));
        assert.deepEqual([chats.map(({ chatId }) => chatId), unread], [[OTHER_CHAT], 1]);
        assert.deepEqual(told, [`A part of this chat cannot be read: third.jsonl is not a regular file (${path()}).`]);
      });
    });
  }

  if (!isWindows) {
    it('but a link to one is as good as that', async () => {
      const drafts: NewEvent[] = [title('linked'), runStarted('r')];
      await writeSegment(
        root,
        CHAT,
        'third',
        drafts.map((draft, index) => stamped(draft, 10 + index, 'third')),
      );
      const sha = await store.blobs(CHAT).put(Buffer.from('a result'));
      await writeFile(path('third.alive'), JSON.stringify({ pid: process.ppid, host: HOST }));
      const touched = new Date(storeOptions(root, writer('me')).clock.now());
      await utimes(path('third.alive'), touched, touched);
      await new DraftFiles(root).write(CHAT, 'a draft');
      await mkdir(join(root, 'elsewhere'));
      for (const [index, file] of ['third.jsonl', 'third.alive', 'draft.json', join('blobs', sha)].entries()) {
        const place = join(root, 'elsewhere', String(index));
        await rename(path(file), place);
        await symlink(place, path(file));
      }
      const { events, faults, openRuns } = await readChat(store, CHAT);
      assert.deepEqual([titles(events), faults], [['a', 'linked'], []]);
      assert.deepEqual(openRuns, [{ runId: 'r', writer: 'third', state: 'alive' }]);
      assert.equal((await store.blobs(CHAT).get(sha)).toString(), 'a result');
      assert.equal(await new DraftFiles(root).read(CHAT), 'a draft');
      assert.deepEqual((await search()).failures, []);
      assert.equal((await findChats([root], (error) => assert.fail(error))).chats.length, 2);
      await store.transfers.importChat(path(), { chatId: THIRD_CHAT, folders: [] }, unwatched);
      const copied = join(root, 'chats', THIRD_CHAT, 'third.jsonl');
      assert.deepEqual(await readFile(copied), await readFile(path('third.jsonl')));
      assert.ok((await stat(copied)).isFile());
    });
  }
});
