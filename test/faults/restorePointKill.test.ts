import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import fs, { mkdtemp, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { decodeRecord } from '../../src/storage/files/record.js';
import { messagesIn, readRestorePoint } from '../../src/storage/reading/restorePoint.js';
import { depth } from '../support/depth.mjs';
import { created, stamp } from '../support/engine/events.js';
import { evenDelay, killed, momentNoter } from '../support/faults/killing.js';
import { assertRestored, exchange, RestoredChat } from '../support/storage/restoredChat.js';

/*
 * Kills real processes while they write the restore point of a chat. This file is also their program:
 *
 *   node <this file> <folder>   replaces the restore point by a larger one several times. Prints a line at each start
 */

const KILLS = depth({ short: 16, deep: 200 });
/** Restore points that begin before the kill. The first one meets the leftovers of the killed process. */
const MOST_BEGUN = 2;
/** More than begin before the kill. A process that is not killed ends alone. */
const REPLACED = 10;
/** Longer than writing one takes, so that kills hit each moment. */
const LONGEST_DELAY_MS = 12;
/** Kills at the same moments would show little. Busy computers need more kills for this many. */
const FEWEST_MOMENTS = 3;
const MOST_KILLS = 200;
const STEP = 20_000;
const EXCHANGES = 60;
/** Large, so that a restore point is written in several pieces. */
const TEXT = 'x'.repeat(20_000);
const FEWEST_HELD = 30;
/** More messages than the log after a restore point: a point with as many messages is not replaced. */
const MORE = 10;
/** Fewer than all: a point with all messages is never replaced. */
const MOST_HELD = 2 * EXCHANGES - 20;

const WRITING = 'w';
const RENAMING = 'r';
const DONE = 'd';

/** Notes the operations that replace a file, and no others. */
function watchOperations(note: (moment: string) => void): void {
  const { writeFile, rename } = fs;
  fs.writeFile = async (path, ...rest) => {
    if (isPoint(path)) {
      note(WRITING);
      writeSync(1, 'writing\n');
    }
    await writeFile(path, ...rest);
  };
  fs.rename = async (from, to) => {
    if (isPoint(from)) {
      note(RENAMING);
    }
    await rename(from, to);
    if (isPoint(from)) {
      note(DONE);
    }
  };
  syncBuiltinESMExports();
}

function isPoint(path: unknown): boolean {
  return typeof path === 'string' && path.endsWith('restore-point.json.new');
}

async function replace(folder: string): Promise<void> {
  watchOperations(momentNoter(momentPath(folder)));
  for (let count = 0; count < REPLACED; count += 1) {
    await new RestoredChat(folder, STEP).log.update(await nextHeld(folder));
  }
}

/** The number of messages of the next restore point, so that it replaces the current one. */
async function nextHeld(folder: string): Promise<number> {
  const point = await readRestorePoint(folder, created().chatId);
  if (point !== null && messagesIn(point) < MOST_HELD) {
    return messagesIn(point) + MORE;
  }
  await rm(new RestoredChat(folder, STEP).file, { force: true });
  return FEWEST_HELD;
}

/** Outside of the folder, which contains only the chat. */
function momentPath(folder: string): string {
  return `${folder}.moment`;
}

/** What the process was doing, from its note and its leftovers. */
function momentOf({ folder, file }: RestoredChat): string {
  const unfinished = `${file}.new`;
  switch (readFileSync(momentPath(folder), 'utf8')) {
    case WRITING:
      return existsSync(unfinished) ? writingMoment(readFileSync(unfinished)) : 'opening the file';
    case RENAMING:
      return existsSync(unfinished) ? 'before the new name' : 'behind the new name';
    default:
      return 'between two';
  }
}

function writingMoment(bytes: Buffer): string {
  if (bytes.length === 0) {
    return 'before the first byte';
  }
  return decodeRecord(bytes) === null ? 'in the middle of writing' : 'flushing';
}

function summary(moments: readonly string[]): string {
  const counts = [...new Set(moments)].map((moment) => `${String(moments.filter((each) => each === moment).length)} ${moment}`);
  return `      ${String(moments.length)} kills: ${counts.join(', ')}\n`;
}

function describeKills(): void {
  describe('the restore point of a chat whose process is killed while it writes it', () => {
    const said = Array.from({ length: EXCHANGES }, (_, number) => exchange(number, TEXT)).flat();
    const events: readonly ChatEvent[] = stamp([created(), ...said], 'a');
    let chat: RestoredChat;

    beforeEach(async () => {
      chat = new RestoredChat(await mkdtemp(join(tmpdir(), 'loupe-killed-')), STEP);
      await chat.write(events);
    });
    afterEach(async () => {
      await chat.remove();
      await rm(momentPath(chat.folder), { force: true });
    });

    it(`opens to what its log says after ${String(KILLS)} times kill -9, and the next one takes away what was left`, async () => {
      const moments: string[] = [];
      for (let number = 0; number < KILLS || (new Set(moments).size < FEWEST_MOMENTS && number < MOST_KILLS); number += 1) {
        const lines = 1 + (number % MOST_BEGUN);
        await killed([import.meta.filename, chat.folder], { lines, delayMs: evenDelay(number, LONGEST_DELAY_MS) });
        moments.push(momentOf(chat));
        await chat.reopen();
        await assertRestored(chat, events);
        // Every second time the next process meets these leftovers.
        if (number % 2 === 1) {
          const held = await nextHeld(chat.folder);
          // An open log considers the file written, even if `nextHeld` has just removed it.
          await chat.reopen();
          await chat.log.update(held);
          assert.deepEqual((await readdir(chat.folder)).toSorted(), [
            'a.jsonl',
            'attempts.json',
            'learned.json',
            'restore-point.json',
            'row.json',
          ]);
        }
      }
      process.stdout.write(summary(moments));
      assert.deepEqual(chat.reports, []);
      assert.ok(new Set(moments).size >= FEWEST_MOMENTS, summary(moments));
    }).timeout(20_000 + MOST_KILLS * 5_000);
  });
}

const [program] = process.argv.slice(2);
if (program?.includes('loupe-killed-') === true) {
  await replace(program);
} else {
  describeKills();
}
