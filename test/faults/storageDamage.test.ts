import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { column } from '../support/columns.js';
import { RunningClock, SteppedClock, stepUntil } from '../support/host/clocks.js';
import { readyPanel, storageBanner, type TestPanel } from '../support/host/panel.js';
import { conversation, partialText, runStatuses, sentTexts, wholeState } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';
import { rejection } from '../support/rejection.js';
import { openStreaming } from '../support/host/streaming.js';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A prime stride hits a different part of each line. */
const STRIDE = 37;
/** Whether the sign of life or the log is missed first. */
const GONE =
  /^(This chat could not be saved: the file or its folder does not exist|The file of this chat was deleted from the disk by another program)\. /;

describe('a chat whose files were damaged', () => {
  const windows = useWindows();

  async function savedChat(): Promise<ChatSession> {
    const { window, session } = await windows.openChat({ writerId: 'before' }, '/long 2');
    await session.titler.rename('A title');
    await session.conversation.send('/long 3');
    await window.chats.close();
    return session;
  }

  function segment(chatId: string): string {
    return join(windows.folder, 'chats', chatId, 'before.jsonl');
  }

  function linesOf(bytes: Buffer): (readonly [number, number])[] {
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === LINE_FEED ? [index] : []));
    return ends.map((end, index) => [index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end] as const);
  }

  async function assertFineBeside(damaged: string): Promise<void> {
    const clock = new RunningClock();
    // A file that is empty for longer is not just being created.
    clock.time += 60_000;
    const window = windows.open({ writerId: 'beside', clock });
    await window.chats.refresh();
    const isListed = window.chats.list().some(({ id }) => id === damaged);
    assert.ok(isListed, 'the damaged chat is in the list');
    const fine = await window.chats.create();
    await fine.conversation.send('/long 2');
    assert.deepEqual(conversation(fine.state), ['user: /long 2', 'assistant: Practice text.']);
    await window.chats.close();
  }

  it('by a flipped byte in any line but the first opens with all the rest, names the line, and can be gone on with', async () => {
    const { id } = await savedChat();
    const whole = await readFile(segment(id));
    const lines = linesOf(whole);
    assert.ok(lines.length > 8);
    for (const [index, [start, end]] of lines.entries()) {
      if (index === 0) {
        continue;
      }
      const bytes = Buffer.from(whole);
      bytes[start + ((index * STRIDE) % (end - start))]! ^= 0x01;
      await writeFile(segment(id), bytes);
      const window = windows.open({ writerId: `w${String(index)}` });
      const session = await window.chats.open(id);
      assert.match(session.faults.map(({ text }) => text).join(), new RegExp(`^before\\.jsonl line ${String(index + 1)}: `));
      const isLogged = window.errors.some(({ message }) => message.includes(`line ${String(index + 1)}: `));
      assert.ok(isLogged, 'the log names it');
      await session.conversation.send('/long 4');
      assert.equal(conversation(session.state).at(-1), 'assistant: Practice text that says.');
      assert.equal(sentTexts(session.state).at(-1), 'Practice text that says.');
      const again = await windows.open({ writerId: `again${String(index)}` }).chats.open(id);
      assert.deepEqual(wholeState(again.state), wholeState(session.state));
      assert.ok((await readFile(segment(id))).equals(bytes), 'the damaged file was changed');
      await rm(join(windows.folder, 'chats', id, `w${String(index)}.jsonl`));
    }
  });

  it('by a byte order mark in front loses nothing, and names it', async () => {
    const before = await savedChat();
    const marked = Buffer.concat([BYTE_ORDER_MARK, await readFile(segment(before.id))]);
    await writeFile(segment(before.id), marked);
    const session = await windows.open({ writerId: 'next' }).chats.open(before.id);
    assert.deepEqual(column(session.faults, 'text'), ['before.jsonl line 1: another program added a byte order mark']);
    assert.deepEqual(wholeState(session.state), wholeState(before.state));
    await session.conversation.send('/long 4');
    assert.ok((await readFile(segment(before.id))).equals(marked));
  });

  const HEADLESS: readonly [string, (bytes: Buffer) => Buffer][] = [
    ['its first line gone', (bytes) => bytes.subarray(bytes.indexOf(LINE_FEED) + 1)],
    ['a byte of its first line flipped', (bytes) => Buffer.concat([bytes.subarray(0, 50), Buffer.of(bytes[50]! ^ 1), bytes.subarray(51)])],
    ['nothing in its file', () => Buffer.alloc(0)],
    ['its file in the encoding of Windows', (bytes) => Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le')],
    ['something else in its file', () => Buffer.from('{"messages": []}\n')],
  ];
  for (const [what, damage] of HEADLESS) {
    it(`with ${what} cannot be opened, says why, stays as it is, and leaves the other chats alone`, async () => {
      const { id } = await savedChat();
      const damaged = damage(await readFile(segment(id)));
      await writeFile(segment(id), damaged);
      const window = windows.open({ writerId: 'next' });
      const error = await rejection(window.chats.open(id));
      assert.deepEqual([error.kind, error.message], ['storage', 'This chat cannot be read: its first line is missing or damaged.']);
      await assertFineBeside(id);
      assert.ok((await readFile(segment(id))).equals(damaged));
    });
  }

  it('by an event that only a newer version knows can be read, takes nothing, and stays as it is', async () => {
    const before = await savedChat();
    const unknown = { type: 'telepathy', v: LOG_VERSION, seq: 1_000, id: 'x-1', at: 1, writer: 'newer' } as unknown as NewEvent;
    const newer = join(windows.folder, 'chats', before.id, 'newer.jsonl');
    await appendFile(newer, encodeLine(unknown as Parameters<typeof encodeLine>[0]));
    const log = (): Promise<readonly string[]> => Promise.all([segment(before.id), newer].map((path) => readFile(path, 'utf8')));
    const logged = await log();
    const session = await windows.open({ writerId: 'next' }).chats.open(before.id);
    assert.deepEqual(conversation(session.state), conversation(before.state));
    assert.match((await rejection(session.conversation.send('x'))).message, /needs a newer version of Loupe/);
    await assertFineBeside(before.id);
    assert.deepEqual(await log(), logged);
    // It has written no line of its own either.
    const segments = (await readdir(dirname(newer))).filter((name) => name.endsWith('.jsonl'));
    assert.deepEqual(segments, ['before.jsonl', 'newer.jsonl']);
  });
});

describe('a chat while the clock is set back', () => {
  const windows = useWindows();

  it('keeps the order in which things were said, also when it is opened again and gone on with', async () => {
    const clock = new SteppedClock();
    const { session } = await windows.openChat({ clock });
    for (const words of [2, 3, 4]) {
      const run = session.conversation.send(`/long ${String(words)}`);
      await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
      await run;
      clock.time -= 3_600_000;
    }
    const texts = ['/long 2', 'Practice text.', '/long 3', 'Practice text that.', '/long 4', 'Practice text that says.'];
    assert.deepEqual(sentTexts(session.state), texts);
    const next = windows.open({ writerId: 'next' });
    const reopened = await next.chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
    await reopened.conversation.send('/long 5');
    assert.deepEqual(sentTexts(reopened.state), [...texts, '/long 5', 'Practice text that says nothing.']);
  });
});

describe('a chat whose folder vanishes', () => {
  const windows = useWindows();

  async function openedPanel(): Promise<TestPanel & { readonly session: ChatSession }> {
    const opened = await readyPanel(windows.open({}));
    return { ...opened, session: await opened.shown.current() };
  }

  it('goes on from memory, says that it was deleted, and keeps saying so; a new chat is saved', async () => {
    const panel = await openedPanel();
    const { session } = panel;
    await session.conversation.send('/long 2');
    await rm(join(windows.folder, 'chats'), { recursive: true });
    await session.conversation.send('/long 3');
    assert.deepEqual(runStatuses(session.state), ['committed', 'committed']);
    assert.match(storageBanner(panel) ?? '', GONE);
    await panel.say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
    assert.match(storageBanner(panel) ?? '', GONE);
    const { session: fresh } = await windows.openChat({ writerId: 'new' }, '/long 2');
    const reopened = await windows.open({ writerId: 'other' }).chats.open(fresh.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(fresh.state));
  });

  it('in mid-stream gets the whole reply all the same', async () => {
    const { session, finish } = await openStreaming(windows, {}, '/long 100', 100);
    await rm(windows.folder, { recursive: true });
    await finish();
    assert.equal(partialText(session).split(/\s+/).length, 100);
    assert.equal(session.saving.state.kind, 'failing');
  });

  it('and comes back has all of it', async () => {
    const session = await windows.open({}).chats.create();
    await rename(join(windows.folder, 'chats'), join(windows.folder, 'away'));
    await session.conversation.send('/long 2');
    await rename(join(windows.folder, 'away'), join(windows.folder, 'chats'));
    await session.conversation.send('/long 3');
    await session.saving.retry();
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
  });
});
