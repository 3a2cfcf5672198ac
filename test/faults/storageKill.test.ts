import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ChatStore } from '../../src/storage/chatStore.js';
import { nodeFiles, type Files } from '../../src/storage/files/files.js';
import { readSegment } from '../../src/storage/log/segment.js';
import { depth } from '../support/depth.mjs';
import { created } from '../support/engine/events.js';
import { evenDelay, killed as killedProgram, momentNoter } from '../support/faults/killing.js';
import {
  CHAT,
  makeFolder,
  makeStore,
  readSegmentFile,
  removeFolder,
  runStarted,
  storeOptions,
  title,
  titles,
  writer,
} from '../unit/storage/fixtures.js';
import { readChat, type ChatOnDisk } from '../support/storage/readChat.js';

/*
 * Kills real processes that append to a chat. This file is also their program:
 *
 *   node <this file> append <root> <writerId>   appends "<writerId> 0", "<writerId> 1", ... until it is killed. Prints
 *                                               "ready", then the number of each line that is reported as durable
 *   node <this file> fill <root> <writerId>     appends until that fails, and prints the number of waiting lines
 */

const KILLS = depth({ short: 48, deep: 500 });
const SIDE_BY_SIDE = 4;
/** Each leaves a file of up to 1 MB, and all are read each time. */
const KILLS_PER_CHAT = 4 * SIDE_BY_SIDE;
/** Durable appends before the kill. From zero, so that kills also hit the creation of folder and file. */
const MOST_ACKS = 4;
/** Longer than a writer needs between two reports, so that kills hit each moment. */
const LONGEST_DELAY_MS = 6;
/** A line of many disk blocks, so that kills also hit a running write. */
const PADDING = 'x'.repeat(100_000);
const REST_MS = 1;
/** Kills at the same moments would show little. */
const FEWEST_MOMENTS = 4;

/** The current moment of a writer, by its first letter in `<writerId>.moment` in the root. */
const MOMENTS = {
  o: 'opening the segment',
  b: 'before a write',
  w: 'in a write',
  g: 'between write and fdatasync',
  s: 'in fdatasync',
  t: 'in a write that syncs',
  r: 'before the report',
  i: 'idle',
} as const;

type Moment = keyof typeof MOMENTS;

/** The real files, with a note for each step of an append. */
function notedFiles(note: (moment: Moment) => void): Files {
  return {
    ...nodeFiles,
    async open(path) {
      const file = await nodeFiles.open(path);
      return {
        ...file,
        async write(bytes, position) {
          note('w');
          const count = await file.write(bytes, position);
          note('g');
          return count;
        },
        async writeThrough(bytes, position) {
          note('t');
          const count = await file.writeThrough(bytes, position);
          note('r');
          return count;
        },
        async datasync() {
          note('s');
          await file.datasync();
          note('r');
        },
      };
    },
  };
}

async function appendUntilKilled(root: string, writerId: string): Promise<never> {
  const note: (moment: Moment) => void = momentNoter(join(root, `${writerId}.moment`));
  const store = new ChatStore({ ...storeOptions(root, writer(writerId)), files: notedFiles(note) });
  await readChat(store, CHAT);
  const journal = store.journal(CHAT);
  note('o');
  writeSync(1, 'ready\n');
  await journal.append([runStarted(writerId)], 'written').written;
  for (let count = 0; ; count += 1) {
    note('b');
    if (count % 3 > 0) {
      // The line after a pending one is written and synced in two steps.
      void journal.append([title(PADDING)], 'written');
    }
    await journal.append([title(`${writerId} ${String(count)}`)], 'durable').written;
    writeSync(1, `${String(count)}\n`);
    note('i');
    if (count % 2 === 1) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  }
}

async function fill(root: string, writerId: string): Promise<void> {
  const journal = makeStore(root, writer(writerId)).journal(CHAT);
  for (let count = 0; journal.state.kind === 'saved'; count += 1) {
    await Promise.allSettled([journal.append([title(String(count))], 'durable').written]);
  }
  writeSync(1, `${journal.state.kind} ${String(journal.pendingEvents.length)} ${journal.state.error.message}\n`);
}

interface Killing {
  readonly writerId: string;
  readonly acks: number;
  readonly delayMs: number;
}

interface Killed extends Killing {
  /** The last append reported as durable, or -1. */
  readonly last: number;
  readonly moment: Moment;
}

function killing(number: number): Killing {
  return { writerId: `w${String(number)}`, acks: number % (MOST_ACKS + 1), delayMs: evenDelay(number, LONGEST_DELAY_MS) };
}

/** Starts a writer and kills it `delayMs` after its report number `acks`. */
async function kill(root: string, { writerId, acks, delayMs }: Killing): Promise<Killed> {
  const said = await killedProgram([import.meta.filename, 'append', root, writerId], { lines: acks + 1, delayMs });
  const last = said.length < 2 ? -1 : Number(said.at(-1));
  const moment = readFileSync(join(root, `${writerId}.moment`), 'utf8');
  assert.ok(moment in MOMENTS);
  return { writerId, acks, delayMs, last, moment: moment as Moment };
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += String(chunk);
  }
  return text;
}

function expectAllReported({ events, openRuns }: ChatOnDisk, { writerId, last, moment }: Killed): void {
  const own = events.filter((event) => event.writer === writerId);
  const counts = titles(own).filter((text) => text !== PADDING);
  assert.ok(counts.length > last, `${writerId}, killed ${MOMENTS[moment]}: ${String(last)} was reported`);
  const expected = counts.map((_, index) => `${writerId} ${String(index)}`);
  assert.deepEqual(counts, expected);
  const run = { runId: writerId, writer: writerId, state: 'dead' };
  const found = openRuns.find(({ runId }) => runId === writerId);
  assert.deepEqual(found, own.length === 0 ? undefined : run);
}

/** Checks that everything reported by killed writers is complete. Returns the number of torn lines. */
async function examine(root: string, killed: readonly Killed[]): Promise<number> {
  const store = makeStore(root, writer('reader'));
  const content = await readChat(store, CHAT);
  await store.close();
  for (const each of killed) {
    assert.ok(each.last + 1 >= each.acks);
    expectAllReported(content, each);
  }
  const others = content.faults.filter(({ kind }) => kind !== 'torn');
  assert.deepEqual(others, []);
  const names = killed.map(({ writerId }) => `${writerId}.jsonl`);
  return content.faults.filter(({ segment }) => names.includes(segment)).length;
}

async function newChat(): Promise<string> {
  const root = await makeFolder();
  const store = makeStore(root, writer('first'));
  await store.journal(CHAT).append([created(), title('first')], 'durable').written;
  await store.close();
  return root;
}

function summary(killed: readonly Killed[], torn: number): string {
  const counts = Object.entries(MOMENTS).map(
    ([letter, name]) => `${String(killed.filter(({ moment }) => moment === letter).length)} ${name}`,
  );
  return `      ${String(killed.length)} kills: ${counts.join(', ')}; ${String(torn)} left a torn line\n`;
}

function describeKills(): void {
  describe('the storage of chats, under real processes', () => {
    let root: string;
    beforeEach(async () => {
      root = await newChat();
    });
    afterEach(async () => {
      await removeFolder(root);
    });

    it(`has everything that was reported as durable after ${String(KILLS)} times kill -9, with ${String(SIDE_BY_SIDE)} writers at a time`, async () => {
      const killed: Killed[] = [];
      let torn = 0;
      while (killed.length < KILLS) {
        if (killed.length > 0 && killed.length % KILLS_PER_CHAT === 0) {
          await removeFolder(root);
          root = await newChat();
        }
        const numbers = Array.from({ length: SIDE_BY_SIDE }, (_, index) => killed.length + index);
        const round = await Promise.all(numbers.map((number) => kill(root, killing(number))));
        torn += await examine(root, round);
        killed.push(...round);
      }
      process.stdout.write(summary(killed, torn));
      const met = new Set(killed.map(({ moment }) => moment));
      assert.ok(met.size >= FEWEST_MOMENTS, `the kills met only ${[...met].join('')}`);
    }).timeout(20_000 + KILLS * 1_000);

    if (process.platform === 'linux') {
      it('keeps whole lines and the rest in memory when a file may not grow any more', async () => {
        const command = `ulimit -f 8; exec "$0" "$@"`;
        const text = await output('bash', ['-c', command, process.execPath, import.meta.filename, 'fill', root, 'w1']);
        assert.equal(text, 'failing 1 This chat could not be saved: the file has reached the size limit of the system.\n');
        const bytes = await readSegmentFile(join(root, 'chats', CHAT), 'w1');
        const { events, faults, unfinished } = readSegment(bytes, 'w1');
        assert.ok(bytes.length > 7_000 && bytes.length <= 8_192, String(bytes.length));
        const expected = events.map((_, index) => String(index));
        assert.deepEqual(titles(events), expected);
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
