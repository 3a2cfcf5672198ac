import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compareStamps } from '../../src/engine/chat/order/stamp.js';
import { created } from '../support/engine/events.js';
import { CHAT, makeFolder, makeStore, removeFolder, runStarted, title, titles, writer } from '../unit/storage/fixtures.js';
import { readChat } from '../support/storage/readChat.js';

/*
 * Windows in separate processes, which share only the disk. This file is also their program:
 *
 *   node <this file> <root> <writerId> <count>   appends so many lines of a reply, or until it is refused. Prints the
 *                                                number of each line, and the state of its chat at the end
 */

const LINES = 400;
/** Different sizes, so that readers also meet unfinished lines. */
const LONGEST_LINE = 30_000;
const MANY = 1_000_000;

async function streamReply(root: string, writerId: string, count: number): Promise<void> {
  const store = makeStore(root, writer(writerId));
  const journal = store.journal(CHAT);
  await journal.append([runStarted(writerId)], 'durable').written;
  for (let line = 0; line < count && journal.state.kind === 'saved'; line += 1) {
    const padding = 'é'.repeat((line * 7_919) % LONGEST_LINE);
    await Promise.allSettled([journal.append([title(`${writerId} ${String(line)} ${padding}`)], 'written').written]);
    writeSync(1, `${String(line)}\n`);
  }
  const { state } = journal;
  writeSync(1, `${state.kind === 'saved' ? 'saved' : state.error.message}\n`);
  await store.close();
}

function start(root: string, writerId: string, count: number): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [import.meta.filename, root, writerId, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Calls `line` with each line of a window. Returns the last line when the process has ended. */
async function listen(child: ChildProcessByStdio<null, Readable, null>, heard: (line: string) => void): Promise<string> {
  const exit = once(child, 'exit');
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    heard(line);
  }
  assert.deepEqual(await exit, [0, null]);
  return last;
}

function describeProcesses(): void {
  describe('the storage of chats, with windows in processes of their own', () => {
    let root: string;
    beforeEach(async () => {
      root = await makeFolder();
    });
    afterEach(() => removeFolder(root));

    it('keeps a chat deleted that is deleted in one of them while its reply streams in another', async () => {
      const deleting = makeStore(root, writer('deleting'));
      await deleting.journal(CHAT).append([created()], 'durable').written;
      const deletions: Promise<void>[] = [];
      const last = await listen(start(root, 'streaming', MANY), (line) => {
        if (line === '50') {
          deletions.push(deleting.deleteChat(CHAT));
        }
      });
      await Promise.all(deletions);
      assert.equal(last, 'This chat was deleted.');
      assert.deepEqual(await deleting.listChatIds(), []);
      await deleting.close();
      assert.deepEqual(await readdir(join(root, 'chats')), [`${CHAT}.deleted`]);
    });

    it('gives one that looks on every line of two others, each once and whole, as they come in', async () => {
      const store = makeStore(root, writer('reader'));
      await store.journal(CHAT).append([created(), title('first')], 'durable').written;
      let { position } = await readChat(store, CHAT);
      const seen: string[] = [];
      let looks = 0;
      const look = async (): Promise<void> => {
        const growth = await store.readGrowth(CHAT, position);
        assert.ok(growth !== null, 'the segments only grow');
        assert.deepEqual(growth.faults, []);
        seen.push(...growth.events.map(({ id, writer: of }) => `${of} ${id}`));
        position = growth.position;
        looks += growth.events.length > 0 ? 1 : 0;
      };
      const ends = Promise.all(['one', 'two'].map((writerId) => listen(start(root, writerId, LINES), () => undefined)));
      const progress = { isOver: false };
      void ends.finally(() => {
        progress.isOver = true;
      });
      while (!progress.isOver) {
        await look();
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(await ends, ['saved', 'saved']);
      await look();
      assert.ok(looks >= 2, 'the looks met them writing');

      const { events, faults, openRuns } = await readChat(store, CHAT);
      assert.deepEqual(faults, []);
      const others = events.filter(({ writer: of }) => of !== 'reader');
      assert.deepEqual(seen.toSorted(), others.map(({ id, writer: of }) => `${of} ${id}`).toSorted());
      for (const writerId of ['one', 'two']) {
        const own = titles(events.filter(({ writer: of }) => of === writerId)).map((text) => text.split(' ', 2).join(' '));
        const expected = Array.from({ length: LINES }, (_, line) => `${writerId} ${String(line)}`);
        assert.deepEqual(own, expected);
      }
      assert.deepEqual(
        events.filter(({ type }) => type === 'title').toSorted(compareStamps),
        events.filter(({ type }) => type === 'title'),
      );
      assert.deepEqual(openRuns.map(({ runId, state }) => [runId, state]).toSorted(), [
        ['one', 'dead'],
        ['two', 'dead'],
      ]);
      await store.close();
    });
  });
}

const [root, writerId, count] = process.argv.slice(2);
if (root !== undefined && writerId !== undefined && count !== undefined && /^\d+$/.test(count)) {
  await streamReply(root, writerId, Number(count));
} else {
  describeProcesses();
}
