import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatStore } from '../../src/storage/chatStore.js';
import { nodeFiles } from '../../src/storage/files/files.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { readSegment } from '../../src/storage/log/segment.js';
import {
  CHAT,
  contents,
  makeFolder,
  makeJournal,
  makeStore,
  ManualClock,
  readSegmentFile,
  removeFolder,
  runCommitted,
  runStarted,
  SmallDisk,
  stamped,
  storeOptions,
  title,
  titles,
  writer,
} from '../unit/storage/fixtures.js';
import { column } from '../support/columns.js';
import { created } from '../support/engine/events.js';
import { rejection } from '../support/rejection.js';
import { readChat } from '../support/storage/readChat.js';

const LINE_FEED = 0x0a;
const TEXTS = ['first', 'é \ud83d\ude00 \ud800', '"quoted"\n', 'last'];

describe('the storage of chats, when things go wrong', () => {
  let root: string;
  beforeEach(async () => {
    root = await makeFolder();
  });
  afterEach(async () => {
    await removeFolder(root);
  });

  async function realSegment(): Promise<Buffer> {
    const folder = join(root, 'real', 'chats', 'chat');
    const { journal } = makeJournal({ folder, files: nodeFiles, writerId: 'w1' });
    await journal.append(TEXTS.map(title), 'durable').written;
    await journal.close();
    return readSegmentFile(folder, 'w1');
  }

  describe('killed at any byte of an append', () => {
    it('keeps every earlier record, counts the torn one, and never lets a later one run into it', async () => {
      const whole = await realSegment();
      const lengths = Array.from({ length: whole.length + 1 }, (_, length) => length);
      await inBatches(lengths, async (length) => {
        const prefix = whole.subarray(0, length);
        // A record is complete with its last brace. The line feed adds nothing.
        const lineFeeds =
          Buffer.from([...prefix, LINE_FEED])
            .toString('latin1')
            .split('}\n').length - 1;
        const intact = TEXTS.slice(0, lineFeeds);
        const isTorn = length > 0 && !'\n}'.includes(String.fromCharCode(prefix.at(-1) ?? LINE_FEED));
        await assertGoesOn(join(root, String(length), 'chats', 'chat'), prefix, { intact, isTorn });
      });
    });

    async function assertGoesOn(
      folder: string,
      prefix: Buffer,
      { intact, isTorn }: { readonly intact: readonly string[]; readonly isTorn: boolean },
    ): Promise<void> {
      const message = `cut after ${String(prefix.length)} bytes`;
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'w1.jsonl'), prefix);
      const before = readSegment(prefix, 'w1');
      assert.deepEqual(titles(before.events), intact, message);
      assert.equal(before.unfinished?.kind, isTorn ? 'torn' : undefined, message);

      const { journal } = makeJournal({ folder, files: nodeFiles, writerId: 'w1' });
      journal.observe(TEXTS.length);
      await journal.append([title('new')], 'written').written;
      await journal.close();

      const bytes = await readSegmentFile(folder, 'w1');
      assert.ok(bytes.subarray(0, prefix.length).equals(prefix), `${message}: old bytes were changed`);
      const after = readSegment(bytes, 'w1');
      assert.deepEqual(titles(after.events), [...intact, 'new'], message);
      const torn = isTorn ? [{ line: intact.length + 1, kind: 'torn' }] : [];
      const found = after.faults.map(({ line, kind }) => ({ line, kind }));
      assert.deepEqual(found, torn, message);
    }
  });

  describe('with the disk full at any byte', () => {
    for (const truncateFails of [false, true]) {
      const tail = truncateFails ? 'when the torn tail cannot be cut off either' : 'and leaves only whole lines';
      it(`keeps all lines in memory and writes them once when there is room, ${tail}`, async () => {
        const whole = await realSegment();
        const rooms = Array.from({ length: whole.length }, (_, room) => room);
        await inBatches(rooms, async (room) => {
          const folder = join(root, String(room), 'chats', 'chat');
          const disk = new SmallDisk(room);
          disk.truncateFails = truncateFails;
          const { journal } = makeJournal({ folder, files: disk, writerId: 'w1' });
          const appends = TEXTS.map((text) => journal.append([title(text)], 'written').written);
          const results = await Promise.allSettled(appends);
          assert.equal(results.at(-1)?.status, 'rejected', `room for ${String(room)} bytes`);
          const full = readSegment(await readSegmentFile(folder, 'w1'), 'w1');
          assert.deepEqual(full.faults, []);
          assert.ok(truncateFails || full.unfinished === null);
          const missing = TEXTS.filter((_, index) => results[index]?.status === 'rejected');
          assert.deepEqual(titles(journal.pendingEvents), missing);

          disk.room = Infinity;
          await journal.close();
          assert.ok((await readSegmentFile(folder, 'w1')).equals(whole), `room for ${String(room)} bytes`);
        });
      });
    }
  });

  if (process.platform === 'linux') {
    it('names the full disk that a real device reports, and keeps the lines', async () => {
      const folder = join(root, 'chats', 'chat');
      await mkdir(folder, { recursive: true });
      await symlink('/dev/full', join(folder, 'w1.jsonl'));
      const { journal } = makeJournal({ folder, files: nodeFiles, writerId: 'w1' });
      const error = await rejection(journal.append([title('a')], 'durable').written);
      assert.equal(error.message, 'This chat could not be saved: the disk is full.');
      assert.deepEqual(titles(journal.pendingEvents), ['a']);
      await rejection(journal.close());
    });
  }

  describe('deleted from outside', () => {
    it('says so and keeps the lines, instead of writing into a file without a name', async () => {
      const store = makeStore(root, writer('me'));
      const journal = store.journal(CHAT);
      await journal.append([title('a')], 'durable').written;
      await rm(join(root, 'chats'), { recursive: true });
      const error = await rejection(journal.append([title('b')], 'durable').written);
      assert.match(error.message, /deleted the file of this chat/);
      assert.deepEqual(titles(journal.pendingEvents), ['b']);
      assert.equal((await rejection(journal.retry())).message, error.message);
      await rejection(store.close());
    });

    it('is made again when nothing was saved yet', async () => {
      const store = makeStore(join(root, 'storage'), writer('me'));
      const journal = store.journal(CHAT);
      await rm(root, { recursive: true });
      await journal.append([created(), title('a')], 'durable').written;
      assert.deepEqual(titles((await readChat(store, CHAT)).events), ['a']);
      await store.close();
    });
  });

  it('does not bring back a chat that is deleted while its reply streams', async () => {
    const streaming = makeStore(root, writer('streaming'));
    const other = makeStore(root, writer('other'));
    const journal = streaming.journal(CHAT);
    await journal.append([created(), runStarted('r')], 'durable').written;
    const pieces: Promise<void>[] = [];
    const deletion = other.deleteChat(CHAT);
    for (let piece = 0; piece < 50; piece += 1) {
      pieces.push(journal.append([title(String(piece))], 'written').written);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await deletion;
    const late = journal.append([runCommitted('r')], 'durable').written;
    assert.equal((await rejection(late)).message, 'This chat was deleted.');
    await Promise.allSettled(pieces);
    await other.close();
    await streaming.close();
    const { [join(root, 'chats', `${CHAT}.deleted`)]: mark, ...files } = await contents(root);
    assert.notEqual(mark, undefined);
    assert.deepEqual(files, {});
    assert.deepEqual(await makeStore(root, writer('third')).listChatIds(), []);
  });

  it('orders two windows by what they saw of each other, though the clock of one was set back', async () => {
    const one = makeStore(root, writer('one'));
    const clock = new ManualClock();
    clock.time -= 3_600_000;
    const two = new ChatStore({ ...storeOptions(root, writer('two')), clock });
    await one.journal(CHAT).append([created(), title('1')], 'durable').written;
    await readChat(two, CHAT);
    await two.journal(CHAT).append([title('2')], 'durable').written;
    await readChat(one, CHAT);
    await one.journal(CHAT).append([title('3')], 'durable').written;
    const { events } = await readChat(two, CHAT);
    assert.deepEqual(titles(events), ['1', '2', '3']);
    const [first, second] = events.filter(({ type }) => type === 'title');
    assert.ok(second!.at < first!.at);
    await one.close();
    await two.close();
  });

  it('never takes a writer for dead that starts and ends runs while it is watched', async () => {
    const busy = makeStore(root, { ...writer('busy'), pid: process.ppid });
    const watching = makeStore(root, writer('watching'));
    const journal = busy.journal(CHAT);
    await journal.append([created(), title('a')], 'written').written;
    const progress = { isOver: false };
    const runs = (async () => {
      for (let run = 0; run < 100; run += 1) {
        await journal.append([runStarted(String(run))], 'written').written;
        await journal.append([runCommitted(String(run))], 'written').written;
      }
      progress.isOver = true;
    })();
    do {
      const { openRuns } = await readChat(watching, CHAT);
      const dead = openRuns.filter(({ state }) => state === 'dead');
      assert.deepEqual(dead, []);
    } while (!progress.isOver);
    await runs;
    await busy.close();
    await watching.close();
  });

  it('never changes a damaged segment of another writer', async () => {
    const store = makeStore(root, writer('me'));
    const damaged = Buffer.concat([await realSegment(), Buffer.from('garbage\n{"v":1,"se')]);
    await mkdir(join(root, 'chats', CHAT), { recursive: true });
    await writeFile(join(root, 'chats', CHAT, 'first.jsonl'), encodeLine(stamped(created(), 1, 'first')));
    await writeFile(join(root, 'chats', CHAT, 'other.jsonl'), damaged);
    const { faults } = await readChat(store, CHAT);
    assert.deepEqual(column(faults, 'line'), [5, 6]);
    await store.journal(CHAT).append([title('new')], 'durable').written;
    assert.deepEqual(titles((await readChat(store, CHAT)).events), [...TEXTS, 'new']);
    assert.ok((await readFile(join(root, 'chats', CHAT, 'other.jsonl'))).equals(damaged));
    await store.close();
  });
});

/** In batches: enough to keep the disk busy, and below the limit of open files. */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 16) {
    await Promise.all(items.slice(start, start + 16).map(work));
  }
}
