import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClosedChats } from '../../../src/host/chat/learning/closedChats.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { RunningClock } from '../../support/host/clocks.js';
import { useWindows, type Window } from '../../support/host/window.js';

const SYSTEM = 'Answer in plain words. '.repeat(1_000);
const TURNS = 5;

describe('what closed chats teach', () => {
  const windows = useWindows();
  const config = { systemPrompt: SYSTEM };
  let clock: RunningClock;

  beforeEach(() => {
    clock = new RunningClock();
  });

  const open = (writerId: string): Window => windows.open({ writerId, clock, config });

  async function talk(window: Window, turns: number): Promise<ChatSession> {
    const session = await window.chats.create();
    for (let turn = 0; turn < turns; turn += 1) {
      await session.conversation.send('And then?');
    }
    return session;
  }

  /** Starts to learn in a window, and counts the chats that it reads. */
  function starts(window: Window, ...storages: readonly string[]): { readonly closed: ClosedChats; readonly read: string[] } {
    const read: string[] = [];
    const store = {
      learned: (chatId: string) => {
        read.push(chatId);
        return window.store.learned(chatId);
      },
    };
    const logError = window.errors.push.bind(window.errors);
    return { closed: new ClosedChats({ chats: window.chats, store, storages: () => Promise.resolve(storages), logError }), read };
  }

  /** The next window, after it has learned from all chats. */
  async function restarted(writerId: string, ...storages: readonly string[]): Promise<Window & ReturnType<typeof starts>> {
    const window = open(writerId);
    const started = starts(window, ...storages);
    await window.chats.refresh();
    await started.closed.settled();
    return { ...window, ...started };
  }

  async function band(window: Window, session: ChatSession): Promise<unknown> {
    const composed = await session.next.preview({ text: 'And then?', editing: null });
    return window.chats.learned.turns.of(composed, composed.forecast, session.state);
  }

  const hasBand = async (window: Window): Promise<boolean> => (await band(window, await window.chats.create())) !== null;

  async function cacheReads(session: ChatSession): Promise<number> {
    const { forecast } = await session.next.preview({ text: 'And?', editing: null });
    return forecast?.parts.read ?? assert.fail('The cache of the model is known.');
  }

  const folderOf = (window: Window, chatId: string): string => join(window.folder, 'chats', chatId);

  /** Changes the content of a log, but neither the sizes nor the times of its files. */
  async function scramble(folder: string, change: (text: string) => string): Promise<void> {
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.jsonl'))) {
      const path = join(folder, name);
      await writeFile(path, change(await readFile(path, 'latin1')), 'latin1');
      await utimes(path, 1, 1);
    }
  }

  const unreadable = (text: string): string => text.replace(/[a-z]/g, 'x');

  it('is there after a restart, in the chat itself and in a new one', async () => {
    const before = open('before');
    const { id } = await talk(before, TURNS);
    await before.chats.close();
    const window = await restarted('next');
    assert.ok(await hasBand(window));
    assert.ok((await band(window, await window.chats.open(id))) !== null);
  });

  it('includes cached content, and each request once after the chat is opened', async () => {
    const earlier = open('before');
    const { id } = await talk(earlier, 3);
    await earlier.chats.close();
    const window = open('next');
    await window.chats.refresh();
    const session = await window.chats.create();
    assert.equal(await cacheReads(session), 0);
    let changes = 0;
    window.chats.onChange({ changed: (chatId) => (changes += chatId === null ? 1 : 0) });
    const { closed } = starts(window);
    await window.chats.refresh();
    await closed.settled();
    assert.ok(changes > 1, 'panels show the new figures');
    const read = await cacheReads(session);
    assert.ok(read > 0, String(read));
    const findings = (): unknown => window.chats.learned.caches.observations(session.state.config.model)?.findings;
    const before = findings();
    await cacheReads(await window.chats.open(id));
    assert.deepEqual(findings(), before);
  });

  it('includes the oldest of many chats', async () => {
    const before = open('before');
    const oldest = await talk(before, TURNS);
    for (let chat = 0; chat < 11; chat += 1) {
      const session = await before.chats.create();
      await session.changeConfig({ systemPrompt: '', model: { provider: 'practice', model: 'small' } });
      await session.conversation.send('And then?');
    }
    await before.chats.close();
    const window = await restarted('next');
    assert.equal(window.chats.list().at(-1)?.id, oldest.id);
    assert.ok(await hasBand(window));
  });

  it('comes from the stored lessons of a chat whose log did not change', async () => {
    const before = open('before');
    const { id } = await talk(before, TURNS);
    await before.chats.close();
    await scramble(folderOf(before, id), (text) => text);
    await (await restarted('second')).chats.close();
    await scramble(folderOf(before, id), unreadable);
    const window = await restarted('third');
    assert.ok(await hasBand(window));
    assert.deepEqual(window.errors, []);
  });

  it('is read once from each chat, and again from a chat that another window has changed', async () => {
    const before = open('before');
    const first = await talk(before, 1);
    await talk(before, 1);
    const window = await restarted('beside');
    await window.chats.refresh();
    await window.chats.otherWindows.pollAll();
    await window.closed.settled();
    assert.deepEqual(
      window.read.toSorted(),
      before.chats
        .list()
        .map(({ id }) => id)
        .toSorted(),
    );
    assert.ok(!(await hasBand(window)));

    for (let turn = 1; turn < TURNS; turn += 1) {
      await first.conversation.send('And then?');
    }
    await window.chats.otherWindows.pollAll();
    await window.closed.settled();
    assert.deepEqual(window.read.slice(2), [first.id]);
    assert.ok(await hasBand(window));
  });

  it('includes a chat that another window creates', async () => {
    const window = await restarted('beside');
    await talk(open('other'), TURNS);
    await window.chats.otherWindows.pollAll();
    await window.closed.settled();
    assert.ok(await hasBand(window));
  });

  it('is nothing of a damaged chat, which the log names', async () => {
    const before = open('before');
    const damaged = await talk(before, 1);
    await talk(before, TURNS);
    await before.chats.close();
    await scramble(folderOf(before, damaged.id), unreadable);
    await rm(join(folderOf(before, damaged.id), 'row.json'), { force: true });
    const window = await restarted('next');
    assert.ok(await hasBand(window));
    assert.deepEqual(
      window.errors.map(({ code }) => code),
      ['storage.noBeginning'],
    );
  });

  it('is nothing of a chat that fails while Loupe reads it, which the log names', async () => {
    const before = open('before');
    const failing = await talk(before, 1);
    await talk(before, TURNS);
    await before.chats.close();
    const window = open('next');
    const learned = window.store.learned.bind(window.store);
    window.store.learned = (chatId) =>
      chatId === failing.id ? Promise.reject(new Error('The disk is gone.')) : learned.call(window.store, chatId);
    const { closed } = starts(window);
    await window.chats.refresh();
    await closed.settled();
    assert.ok(await hasBand(window));
    assert.deepEqual(
      window.errors.map(({ message }) => message),
      ['Loupe failed unexpectedly: The disk is gone.'],
    );
  });

  it('ends when the window closes', async () => {
    const before = open('before');
    await talk(before, 1);
    await talk(before, 1);
    await before.chats.close();
    const window = open('next');
    const { closed, read } = starts(window);
    const learned = window.store.learned.bind(window.store);
    window.store.learned = async (chatId) => {
      closed.close();
      await window.chats.close();
      return learned(chatId);
    };
    await window.chats.refresh();
    await closed.settled();
    assert.deepEqual([read.length, window.errors], [1, []]);
  });

  it('includes chats of other workspaces, but not their deleted chats', async () => {
    const before = open('before');
    await talk(before, TURNS);
    await before.chats.close();
    const storage = windows.folder;
    await (await restarted('stores')).chats.close();
    await windows.newFolder();
    const elsewhere = await restarted('elsewhere', join(storage, 'nothing'), storage);
    assert.deepEqual([elsewhere.chats.list(), elsewhere.errors], [[], []]);
    assert.ok(await hasBand(elsewhere));

    for (const name of await readdir(join(storage, 'chats'))) {
      await writeFile(join(storage, 'chats', `${name}.deleted`), '');
    }
    assert.ok(!(await hasBand(await restarted('later', storage))));
  });
});
