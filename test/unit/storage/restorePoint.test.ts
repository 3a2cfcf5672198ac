import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { foldLog } from '../../support/engine/folds.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { countMessages } from '../../../src/engine/chat/state.js';
import { depth } from '../../support/depth.mjs';
import { created, stamp } from '../../support/engine/events.js';
import { bytesReadBy } from '../../support/storage/countedReads.js';
import { UNWATCHED } from '../../support/storage/readChat.js';
import { assertRestored, exchange, RestoredChat } from '../../support/storage/restoredChat.js';

const STEP = 20_000;
const EXCHANGES = 150;
const HELD = 20;
/** Places in which the writing of a restore point is cut, spread evenly over its bytes. */
const PLACES = depth({ short: 12, deep: 40 });

function logOf(exchanges: number, ...more: NewEvent[]): ChatEvent[] {
  const said = Array.from({ length: exchanges }, (_, number) => exchange(number, 'x'.repeat(300))).flat();
  return stamp([created(), ...said, ...more], 'a');
}

async function damageSecondLine(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.write('?', bytes.indexOf('\n') + 10);
  await writeFile(path, bytes);
}

describe('the restore point of a chat', () => {
  const chats: RestoredChat[] = [];
  afterEach(async () => {
    await Promise.all(chats.splice(0).map((chat) => chat.remove()));
  });

  async function written(events: readonly ChatEvent[]): Promise<RestoredChat> {
    const chat = await RestoredChat.make(STEP);
    chats.push(chat);
    await chat.write(events);
    await chat.log.update(HELD);
    await chat.reopen();
    return chat;
  }

  async function bytesOfLog(chat: RestoredChat): Promise<number> {
    const { size } = await stat(chat.file);
    return ((await bytesReadBy(() => chat.openEnd())) ?? size + STEP) - size;
  }

  it('has one to two steps of log behind it, so that opening reads no more, however long the chat is', async () => {
    for (const exchanges of [EXCHANGES, 4 * EXCHANGES]) {
      const chat = await written(logOf(exchanges));
      const bytes = await bytesOfLog(chat);
      const { size } = await stat(chat.segment('a'));
      assert.ok(bytes >= STEP && bytes <= 2.2 * STEP && bytes < size / 2, `${String(bytes)} of ${String(size)} bytes were read`);
    }
  });

  it('follows the log step by step', async () => {
    const events = logOf(2 * EXCHANGES);
    const chat = await written(events.slice(0, events.length / 2));
    for (let at = events.length / 2; at < events.length; at += 30) {
      await chat.write(events.slice(at, at + 30));
      await chat.log.update(HELD);
    }
    await chat.reopen();
    const bytes = await bytesOfLog(chat);
    assert.ok(bytes >= STEP && bytes <= 3 * STEP, `${String(bytes)} bytes were read`);
  });

  it('is not made of a short chat', async () => {
    const chat = await written(logOf(4));
    assert.deepEqual((await readdir(chat.folder)).toSorted(), ['a.jsonl', 'attempts.json', 'learned.json', 'row.json']);
    assert.equal((await chat.openEnd()).fold.state.extent, 'whole');
  });

  it('holds as many messages as a request may have room for', async () => {
    const chat = await written(logOf(EXCHANGES));
    await chat.log.update(2 * EXCHANGES - 10);
    await chat.reopen();
    const { state } = (await chat.openEnd()).fold;
    assert.equal(state.extent, 'end');
    assert.ok(state.timeline.filter(({ kind }) => kind === 'message').length >= 2 * EXCHANGES - 10);
  });

  it('is not used when something behind it goes back before it: the whole log is read then, and the next one is behind that', async () => {
    const rewound = { type: 'rewound', rewindId: 'back', to: 'assistant-3', reason: 'edited' } as const;
    const events = logOf(EXCHANGES, rewound);
    const chat = await written(events.slice(0, -1));
    await chat.write(events.slice(-1));
    const opened = await assertRestored(chat, events);
    assert.equal(opened.fold.state.extent, 'whole');
    await chat.log.update(HELD);
    await chat.reopen();
    await assertRestored(chat, events);
  });

  it('is not looked for in the whole log again and again, after a rewind that left fewer messages than it holds', async () => {
    const rewound = { type: 'rewound', rewindId: 'back', to: `assistant-${String(HELD)}`, reason: 'edited' } as const;
    const later = Array.from({ length: 4 }, (_, number) => exchange(EXCHANGES + number, 'x')).flat();
    const events = logOf(EXCHANGES, rewound, ...later);
    const read = events.length - later.length;
    const chat = await written(events.slice(0, read));
    await chat.log.update(HELD);
    // Reading the log again from its start would find the damage, and miss a message.
    await damageSecondLine(chat.segment('a'));
    for (let at = read; at < events.length; at += later.length / 4) {
      await chat.write(events.slice(at, at + later.length / 4));
      await chat.log.update(HELD);
    }
    const { messages } = await chat.log.row();
    assert.equal(messages, countMessages(foldLog(events).state));
  });

  it('is as good as none when its writing was broken off at any byte, and is made again', async () => {
    const events = logOf(EXCHANGES);
    const chat = await written(events);
    const whole = await readFile(chat.file);
    // A killed writer leaves this. The file itself is replaced in one step.
    const unfinished = `${chat.file}.new`;
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / PLACES)) {
      await writeFile(unfinished, whole.subarray(0, length));
      await chat.reopen();
      assert.equal((await assertRestored(chat, events)).fold.state.extent, 'end');
      // After a power failure a name can be on disk before its content.
      await copyFile(unfinished, chat.file);
      await chat.reopen();
      assert.equal((await assertRestored(chat, events)).fold.state.extent, 'whole');
      await chat.log.update(HELD);
      await chat.reopen();
      assert.equal((await assertRestored(chat, events)).fold.state.extent, 'end');
    }
    assert.deepEqual(chat.reports, []);
  }).timeout(60_000);

  it('of another chat is not taken, and gives way to its own', async () => {
    const events = logOf(EXCHANGES);
    const chat = await written(events);
    const text = (await readFile(chat.file, 'utf8')).replaceAll(created().chatId, 'sess_2_bbbbbb');
    assert.notEqual(text, await readFile(chat.file, 'utf8'));
    const other = await written(stamp([{ ...created(), chatId: 'sess_2_bbbbbb' }, ...logOf(EXCHANGES).slice(1)], 'a'));
    await copyFile(other.file, chat.file).catch(() => rm(chat.file));
    await assertRestored(chat, events);
  });

  it('is read no further when its reading is cancelled', async () => {
    const chat = await written(logOf(EXCHANGES));
    const signal = AbortSignal.abort();
    for (const reading of [
      chat.log.openEnd(() => [], { ...UNWATCHED, signal }),
      chat.log.openWhole(() => [], 0, { ...UNWATCHED, signal }),
    ]) {
      await assert.rejects(reading, { kind: 'cancelled' });
    }
    assert.equal((await chat.log.openWhole(() => [], 0, UNWATCHED)).fold.state.extent, 'whole');
  });

  it('stays out of a folder that is gone', async () => {
    const chat = await written(logOf(EXCHANGES));
    await rm(chat.folder, { recursive: true });
    await chat.log.update(HELD);
    await assert.rejects(readdir(join(chat.folder)), { code: 'ENOENT' });
    assert.deepEqual(chat.reports, []);
  });
});
