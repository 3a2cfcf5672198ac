import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFiles, type Files } from '../../../src/storage/files/files.js';
import type { Journal, JournalState } from '../../../src/storage/log/journal.js';
import { readSegment } from '../../../src/storage/log/segment.js';
import {
  contents,
  makeFolder,
  makeJournal,
  readSegmentFile,
  removeFolder,
  runCommitted,
  runStarted,
  SmallDisk,
  title,
  titles,
  type TestJournal,
} from './fixtures.js';
import { column, columns } from '../../support/columns.js';
import { rejection } from '../../support/rejection.js';
import { failureOf } from '../../support/failures.js';

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('a journal', () => {
  let root: string;
  let folder: string;
  const made: Journal[] = [];
  beforeEach(async () => {
    root = await makeFolder();
    folder = join(root, 'chats', 'chat');
  });
  afterEach(async () => {
    await Promise.all(made.splice(0).map((journal) => journal.close()));
    await removeFolder(root);
  });

  function make(files: Files): TestJournal {
    const test = makeJournal({ folder, files, writerId: 'w1' });
    made.push(test.journal);
    return test;
  }

  function makeOn(room: number): TestJournal & { readonly disk: SmallDisk } {
    const disk = new SmallDisk(room);
    return { disk, ...make(disk) };
  }

  async function savedTitles(): Promise<string[]> {
    return titles(readSegment(await readSegmentFile(folder, 'w1'), 'w1').events);
  }

  describe('stamping', () => {
    it('gives events back at once, numbered and with ids of their own, before anything is written', () => {
      const { journal } = make(nodeFiles);
      const { events } = journal.append([title('a'), title('b')], 'written');
      assert.deepEqual(
        events.map(({ v, seq, at, writer }) => ({ v, seq, at, writer })),
        [
          { v: 3, seq: 1, at: 1_700_000_000_000, writer: 'w1' },
          { v: 3, seq: 2, at: 1_700_000_000_000, writer: 'w1' },
        ],
      );
      assert.match(events[0]!.id, /^1700000000000-[0-9a-f]{8}$/);
      assert.notEqual(events[0]!.id, events[1]!.id);
    });

    it('numbers events after all that were observed', async () => {
      const { journal } = make(nodeFiles);
      journal.observe(41);
      journal.observe(7);
      assert.deepEqual(column(journal.append([title('a')], 'written').events, 'seq'), [42]);
    });
  });

  describe('the segment', () => {
    it('is created by the first append, and its folder with it', async () => {
      const { journal } = make(nodeFiles);
      await journal.retry();
      assert.equal(await exists(folder), false);
      await journal.append([title('a')], 'written').written;
      assert.deepEqual(await savedTitles(), ['a']);
    });

    it('is not created by a journal that is closed without an append', async () => {
      await make(nodeFiles).journal.close();
      assert.equal(await exists(folder), false);
    });

    it('holds what was appended, in order, however the appends overlap', async () => {
      const { journal } = make(nodeFiles);
      const texts = Array.from({ length: 50 }, (_, index) => String(index));
      await Promise.all(texts.map((text) => journal.append([title(text)], 'written').written));
      assert.deepEqual(await savedTitles(), texts);
    });

    it('gets all of a line when the system takes few bytes at a time', async () => {
      const { disk, journal } = makeOn(Infinity);
      disk.largestWrite = 7;

      await journal.append([title('a'), title('b')], 'written').written;
      assert.deepEqual(await savedTitles(), ['a', 'b']);
    });

    it('is on the disk, with its name and those of its folders, before a durable append is reported', async () => {
      const { disk, journal } = makeOn(Infinity);
      await journal.append([title('a')], 'durable').written;
      assert.equal(disk.log.at(-1), 'sync these bytes');
      assert.deepEqual(disk.syncedFolders, [folder, join(root, 'chats'), root]);
    });

    it('is synced whole for a durable append when lines before it are not on the disk yet', async () => {
      const { disk, journal } = makeOn(Infinity);
      const steps = async (): Promise<readonly string[]> => {
        const length = disk.log.length;
        await journal.append([title('b')], 'durable').written;
        return disk.log.slice(length).filter((step) => step.startsWith('sync'));
      };
      await journal.append([title('a')], 'written').written;
      assert.deepEqual(await steps(), ['sync']);
      assert.deepEqual(await steps(), ['sync these bytes'], 'all before it is on the disk');
    });

    it('is not synced for lines that need not be durable', async () => {
      const { disk, journal } = makeOn(Infinity);
      await journal.append([title('a')], 'written').written;
      const syncs = (): readonly string[] => disk.log.filter((step) => step === 'sync');
      assert.deepEqual(syncs(), []);
      await journal.close();
      assert.deepEqual(syncs(), ['sync']);
    });

    it('goes on in a file of the same writer that was left with a torn line, without touching that line', async () => {
      const first = make(nodeFiles);
      await first.journal.append([title('a')], 'written').written;
      await first.journal.close();
      const before = await readSegmentFile(folder, 'w1');
      const torn = Buffer.concat([before, Buffer.from('{"v":1,"seq":2,"id')]);
      const file = await nodeFiles.open(join(folder, 'w1.jsonl'));
      await file.write(torn, 0);
      await file.close();

      const second = make(nodeFiles);
      second.journal.observe(2);
      await second.journal.append([title('b')], 'written').written;
      await second.journal.close();

      const after = await readSegmentFile(folder, 'w1');
      assert.ok(after.subarray(0, torn.length).equals(torn));
      const { events, faults } = readSegment(after, 'w1');
      assert.deepEqual(titles(events), ['a', 'b']);
      assert.deepEqual(columns(faults, 'line', 'kind'), [[2, 'torn']]);
    });
  });

  describe('when the disk is full', () => {
    it('says so in plain words, keeps the lines in memory and leaves no torn line', async () => {
      const { disk, journal } = makeOn(200);
      await journal.append([title('a')], 'written').written;
      const before = await readSegmentFile(folder, 'w1');
      const error = await rejection(journal.append([title('b'), title('c')], 'durable').written);
      assert.equal(error.kind, 'storage');
      assert.equal(error.message, 'This chat could not be saved: the disk is full.');
      assert.match((error.cause as Error).message, /ENOSPC/);
      assert.deepEqual(await readSegmentFile(folder, 'w1'), before);
      assert.equal(journal.pendingEvents.length, 2);
      assert.deepEqual(titles(journal.pendingEvents), ['b', 'c']);
      disk.room = Infinity;
    });

    it('writes what waits, in order, with the next append', async () => {
      const { disk, journal } = makeOn(0);
      await rejection(journal.append([title('a')], 'written').written);
      await rejection(journal.append([title('b')], 'written').written);
      disk.room = Infinity;
      await journal.append([title('c')], 'written').written;
      assert.deepEqual(await savedTitles(), ['a', 'b', 'c']);
      assert.equal(journal.pendingEvents.length, 0);
    });

    it('writes what waits when asked to try again', async () => {
      const { disk, journal } = makeOn(0);
      await rejection(journal.append([title('a')], 'written').written);
      await rejection(journal.retry());
      disk.room = Infinity;
      await journal.retry();
      assert.deepEqual(await savedTitles(), ['a']);
    });

    it('answers each attempt that was asked for while another was under way', async () => {
      const { disk, journal } = makeOn(0);
      const results = await Promise.allSettled([journal.append([title('a')], 'written').written, journal.retry(), journal.retry()]);
      assert.deepEqual(column(results, 'status'), ['rejected', 'rejected', 'rejected']);
      disk.room = Infinity;
    });

    it('never joins a line to a torn one that could not be cut off', async () => {
      const { disk, journal } = makeOn(250);
      await journal.append([title('a')], 'written').written;
      disk.truncateFails = true;
      const error = await rejection(journal.append([title('b'), title('c')], 'written').written);
      assert.equal(error.message, 'This chat could not be saved: the disk is full.');
      assert.notEqual(readSegment(await readSegmentFile(folder, 'w1'), 'w1').unfinished, null);
      disk.room = Infinity;
      await journal.retry();
      const { events, faults, unfinished } = readSegment(await readSegmentFile(folder, 'w1'), 'w1');
      assert.deepEqual(titles(events), ['a', 'b', 'c']);
      assert.deepEqual([...faults, unfinished], [null]);
    });

    it('tells its listeners about each failure and about the recovery', async () => {
      const { disk, journal } = makeOn(0);
      const states: JournalState['kind'][] = [];
      const stop = journal.onStateChange(({ kind }) => states.push(kind));
      await rejection(journal.append([title('a')], 'written').written);
      await rejection(journal.retry());
      disk.room = Infinity;
      await journal.retry();
      await journal.append([title('b')], 'written').written;
      assert.deepEqual(states, ['failing', 'failing', 'saved']);
      stop();
    });

    it('reports lines that are left over when it is closed', async () => {
      const { disk, journal } = makeOn(0);
      await rejection(journal.append([title('a')], 'written').written);
      assert.equal((await rejection(journal.close())).kind, 'storage');
      disk.room = Infinity;
    });
  });

  describe('when syncing fails', () => {
    it('does not report lines as durable, and does not write them twice', async () => {
      const { disk, journal } = makeOn(Infinity);
      disk.syncFails = true;

      const written = journal.append([title('a')], 'written').written;
      const durable = journal.append([title('b')], 'durable').written;
      await written;
      assert.match((await rejection(durable)).message, /the disk reported an error/);
      assert.equal(journal.pendingEvents.length, 1);
      disk.syncFails = false;
      await journal.retry();
      assert.equal(journal.pendingEvents.length, 0);
      assert.deepEqual(await savedTitles(), ['a', 'b']);
    });

    it('gives the system the same bytes again before it believes the next sync', async () => {
      const { disk, journal } = makeOn(Infinity);
      await journal.append([title('a')], 'durable').written;
      const start = (await readSegmentFile(folder, 'w1')).length;
      await journal.append([title('b')], 'written').written;
      disk.syncFails = true;
      await rejection(journal.append([title('c')], 'durable').written);
      disk.syncFails = false;
      disk.log.length = 0;
      await journal.retry();
      const unsynced = (await readSegmentFile(folder, 'w1')).length - start;
      assert.deepEqual(disk.log, [`write ${String(start)}+${String(unsynced)}`, 'sync']);
    });
  });

  describe('of a chat that takes no lines', () => {
    it('refuses them with the reason and creates nothing', async () => {
      const made = make(nodeFiles);
      made.refusal = failureOf('storage', 'This chat was deleted.');
      const error = await rejection(made.journal.append([title('a')], 'durable').written);
      assert.equal(error, made.refusal);
      assert.equal(made.journal.state.kind, 'refused');
      assert.equal(await exists(folder), false);
    });

    it('writes what it refused when the chat takes lines again', async () => {
      const made = make(nodeFiles);
      await made.journal.append([title('a')], 'written').written;
      made.refusal = failureOf('storage', 'This chat was deleted.');
      const before = await contents(folder);
      await rejection(made.journal.append([title('b')], 'written').written);
      assert.deepEqual(await contents(folder), before);
      await rejection(made.journal.append([title('c')], 'durable').written);
      assert.deepEqual(await contents(folder), before);
      made.refusal = null;
      await made.journal.retry();
      assert.deepEqual(await savedTitles(), ['a', 'b', 'c']);
    });
  });

  describe('with an open run', () => {
    const alive = (): Promise<boolean> => exists(join(folder, 'w1.alive'));

    it('shows a sign of life until the end of the run is written', async () => {
      const { journal, ticker } = make(nodeFiles);
      await journal.append([title('a')], 'written').written;
      assert.equal(await alive(), false);
      await journal.append([runStarted('r1'), runStarted('r2')], 'written').written;
      await journal.append([runCommitted('r1')], 'written').written;
      assert.equal(await alive(), true);
      assert.equal(ticker.running, 1);
      await journal.append([runCommitted('r2')], 'durable').written;
      assert.equal(await alive(), false);
      assert.equal(ticker.running, 0);
    });

    it('shows it before the first line of the run is in the file', async () => {
      const { disk, journal } = makeOn(0);
      await rejection(journal.append([runStarted('r1')], 'written').written);
      assert.equal(await alive(), true);
      disk.room = Infinity;
    });

    it('keeps it while the end of the run cannot be saved', async () => {
      const { disk, journal } = makeOn(Infinity);
      await journal.append([runStarted('r1')], 'written').written;
      disk.syncFails = true;
      await rejection(journal.append([runCommitted('r1')], 'durable').written);
      assert.equal(await alive(), true);
      disk.syncFails = false;
      await journal.retry();
      assert.equal(await alive(), false);
    });

    it('takes it back while the chat takes no lines, and shows it again when it does', async () => {
      const made = make(nodeFiles);
      await made.journal.append([runStarted('r1')], 'written').written;
      made.refusal = failureOf('storage', 'This chat was deleted.');
      await rejection(made.journal.append([title('a')], 'written').written);
      assert.equal(await alive(), false);
      made.refusal = null;
      await made.journal.retry();
      assert.equal(await alive(), true);
    });

    it('takes it back when it is closed: nobody is there to end the run', async () => {
      const { journal } = make(nodeFiles);
      await journal.append([runStarted('r1')], 'written').written;
      await journal.close();
      assert.equal(await alive(), false);
    });
  });

  it('takes nothing after it was closed', async () => {
    const { journal } = make(nodeFiles);
    await journal.close();
    assert.throws(() => journal.append([title('a')], 'written'), { kind: 'internal' });
  });

  it('keeps writing when a listener throws, and reports that', async () => {
    const { disk, journal, reports } = makeOn(0);
    journal.onStateChange(() => {
      throw new Error('a defect of the listener');
    });
    await rejection(journal.append([title('a')], 'written').written);
    disk.room = Infinity;
    await journal.append([title('b')], 'written').written;
    assert.deepEqual(await savedTitles(), ['a', 'b']);
    assert.equal(reports.length, 2);
    assert.match(reports[0]!.message, /a defect of the listener/);
  });
});
