import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChatContent } from '../../src/storage/chatReader.js';
import { readSegment } from '../../src/storage/segment.js';
import {
  CHAT,
  makeFolder,
  makeStore,
  readSegmentFile,
  removeFolder,
  runStarted,
  title,
  titles,
  writer,
} from '../unit/storage/fixtures.js';

/*
 * Real processes that append to a chat and are killed without warning. This file is also the program they run:
 *
 *   node <this file> append <root> <writerId>   appends "<writerId> 0", "<writerId> 1", ... until it is killed,
 *                                               and prints the number of each one that is reported as durable
 *   node <this file> fill <root> <writerId>     appends until that fails, and prints how many lines wait then
 */

/** How often a process is killed: `LOUPE_KILLS=2000` for the long test. */
const KILLS = Number(process.env['LOUPE_KILLS'] ?? '100');
/** Windows that write to one chat at the same time. */
const SIDE_BY_SIDE = 4;
/** Each leaves a file of up to 250 KB, and all of them are read every time. */
const KILLS_PER_CHAT = 20 * SIDE_BY_SIDE;
const MOST_ACKS = 12;

/** Lines of several disk blocks, so that a kill also meets a write that is under way. */
const PADDING = 'x'.repeat(20_000);

async function appendUntilKilled(root: string, writerId: string): Promise<never> {
  const store = makeStore(root, writer(writerId));
  if ((await store.listChatIds()).includes(CHAT)) {
    await store.readChat(CHAT);
  }
  const journal = store.journal(CHAT);
  await journal.append([runStarted(writerId)], 'written').written;
  for (let count = 0; ; count += 1) {
    void journal.append([title(PADDING)], 'written');
    await journal.append([title(`${writerId} ${String(count)}`)], 'durable').written;
    writeSync(1, `${String(count)}\n`);
  }
}

async function fill(root: string, writerId: string): Promise<void> {
  const journal = makeStore(root, writer(writerId)).journal(CHAT);
  for (let count = 0; journal.state.kind === 'saved'; count += 1) {
    await Promise.allSettled([journal.append([title(String(count))], 'durable').written]);
  }
  writeSync(1, `${journal.state.kind} ${String(journal.pendingEvents.length)} ${journal.state.error.message}\n`);
}

/** Starts a writer, kills it after it reported `acks` durable appends, and returns the last one it reported. */
async function killAfter(root: string, writerId: string, acks: number): Promise<number> {
  const child = spawn(process.execPath, [import.meta.filename, 'append', root, writerId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let last = -1;
  // Reads on after the kill: what had been reported by then counts as well.
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last + 1 >= acks) {
      child.kill('SIGKILL');
    }
  }
  // Until then the system still lists the process.
  await exit;
  return last;
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += String(chunk);
  }
  return text;
}

function expectAllReported({ events, openRuns }: ChatContent, writerId: string, last: number): void {
  const counts = titles(events.filter((event) => event.writer === writerId)).filter((text) => text !== PADDING);
  assert.ok(counts.length > last, `${writerId}: ${String(last)} was reported`);
  assert.deepEqual(counts, counts.map((_, index) => `${writerId} ${String(index)}`));
  assert.deepEqual(openRuns.find(({ runId }) => runId === writerId), { runId: writerId, writer: writerId, state: 'dead' });
}

function describeKills(): void {
  describe('the storage of chats, under real processes', () => {
    let root: string;
    beforeEach(async () => {
      root = await makeFolder();
    });
    afterEach(async () => {
      await removeFolder(root);
    });

    it(`has everything that was reported as durable after ${String(KILLS)} times kill -9, with ${String(SIDE_BY_SIDE)} writers at a time`, async () => {
      for (let kills = 0; kills < KILLS; kills += SIDE_BY_SIDE) {
        if (kills % KILLS_PER_CHAT === 0) {
          await removeFolder(root);
          root = await makeFolder();
        }
        const killed = Array.from({ length: SIDE_BY_SIDE }, (_, index) => ({ writerId: `w${String(kills + index)}`, acks: 1 + ((kills + index) % MOST_ACKS) }));
        const last = await Promise.all(killed.map(({ writerId, acks }) => killAfter(root, writerId, acks)));
        const store = makeStore(root, writer('reader'));
        const content = await store.readChat(CHAT);
        await store.close();
        for (const [index, { writerId, acks }] of killed.entries()) {
          assert.ok((last[index] ?? -1) + 1 >= acks, 'the writer ended by itself');
          expectAllReported(content, writerId, last[index] ?? -1);
        }
        assert.deepEqual(content.faults.filter(({ kind }) => kind !== 'torn'), []);
      }
    }).timeout(20_000 + KILLS * 1_000);

    if (process.platform === 'linux') {
      it('keeps whole lines and the rest in memory when a file may not grow any more', async () => {
        const command = `ulimit -f 8; exec "$0" "$@"`;
        const text = await output('bash', ['-c', command, process.execPath, import.meta.filename, 'fill', root, 'w1']);
        assert.equal(
          text,
          'failing 1 This chat could not be saved: the file has reached the size the system allows.\n',
        );
        const bytes = await readSegmentFile(join(root, 'chats', CHAT), 'w1');
        const { events, faults, unfinished } = readSegment(bytes, 'w1');
        assert.ok(bytes.length > 7_000 && bytes.length <= 8_192, String(bytes.length));
        assert.deepEqual(titles(events), events.map((_, index) => String(index)));
        assert.deepEqual([faults, unfinished], [[], null]);
      });
    }
  });
}

const [program, root, writerId] = process.argv.slice(2);
if (program === 'append' && root !== undefined && writerId !== undefined) {
  await appendUntilKilled(root, writerId);
} else if (program === 'fill' && root !== undefined && writerId !== undefined) {
  await fill(root, writerId);
} else {
  describeKills();
}
