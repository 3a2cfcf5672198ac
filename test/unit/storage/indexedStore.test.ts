import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { EventDraft } from '../../../src/engine/chat/slices/table.js';
import { ChatStore } from '../../../src/storage/chatStore.js';
import { encodeLine } from '../../../src/storage/line.js';
import { created, stamp } from '../../support/engine/events.js';
import { rejection } from '../../support/rejection.js';
import { exchange, logOf } from '../../support/storage/indexedChat.js';
import { CHAT, makeFolder, removeFolder, storeOptions, title, writer } from './fixtures.js';

const COPY = 'sess_1600000000000_00ff00';

describe('the chats of a workspace, with their indexes', () => {
  let root: string;
  let store: ChatStore;
  beforeEach(async () => {
    root = await makeFolder();
    const indexLimits = { placeMessages: 4, logPerPlaceByte: 0, readAtOnce: 50_000, placesTail: 64_000, carriedMessages: 50 };
    store = new ChatStore({ ...storeOptions(root, writer('me')), indexLimits });
  });
  afterEach(async () => {
    await store.close();
    await removeFolder(root);
  });

  /** Writes the segments of a chat. */
  async function write(events: readonly ChatEvent[]): Promise<void> {
    const folder = join(root, 'chats', CHAT);
    await mkdir(folder, { recursive: true });
    for (const name of new Set(events.map((event) => event.writer))) {
      const lines = events.filter((event) => event.writer === name).map(encodeLine);
      await writeFile(join(folder, `${name}.jsonl`), Buffer.concat(lines));
    }
  }

  it('are continued after everything in them, though only their end was read', async () => {
    const log = logOf(10, 'x');
    await write(log);
    await store.updateIndex(CHAT);
    const { events, start } = await store.openChat(CHAT, 0);
    assert.deepEqual([events, start?.last.seq], [[], log.length]);
    assert.equal(store.journal(CHAT).append([title('b')], 'written').events[0]?.seq, log.length + 1);
  });

  it('open with what this window could not save', async () => {
    await write(logOf(10, 'x'));
    await store.updateIndex(CHAT);
    await store.openChat(CHAT, 0);
    const { events } = store.journal(CHAT).append([title('unsaved')], 'written');
    assert.deepEqual((await store.openChat(CHAT, 0)).events, events);
  });

  it('get no index and do not open when they are deleted', async () => {
    await write(logOf(10, 'x'));
    await store.deleteChat(CHAT);
    await store.updateIndex(CHAT);
    assert.equal((await rejection(store.openChat(CHAT, 0))).message, 'This chat was deleted.');
    assert.deepEqual(await readdir(join(root, 'chats', CHAT)), ['a.jsonl']);
    await store.purgeDeleted();
    assert.deepEqual(await readdir(join(root, 'chats')), [`${CHAT}.deleted`]);
  });

  it('leave their index behind when they are copied, and look the same from outside with and without one', async () => {
    await write(logOf(10, 'x'));
    const before = await store.fingerprint(CHAT);
    await store.updateIndex(CHAT);
    assert.equal(await store.fingerprint(CHAT), before);
    const watch = { signal: new AbortController().signal, progress: () => undefined };
    await store.importChat(join(root, 'chats', CHAT), { chatId: COPY, folders: [] }, watch);
    assert.deepEqual((await readdir(join(root, 'chats', COPY))).sort(), ['a.jsonl', 'me.jsonl']);
    assert.equal((await store.openChat(COPY, 0)).fold.state.chatId, COPY);
  });

  it('say so when the line that created them is missing', async () => {
    await write(logOf(10, 'x').slice(1));
    await store.updateIndex(CHAT);
    assert.match((await rejection(store.openChat(CHAT, 0))).message, /the line that created it is missing/);
    assert.equal(await store.readRow(CHAT), null);
  });

  describe('seen at a glance', () => {
    const said = async (wanted: number): Promise<readonly string[] | null> => {
      const fold = await store.glimpse(CHAT, wanted);
      return fold?.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])) ?? null;
    };

    it('are their last messages, however many segments they have', async () => {
      const other = stamp([title('b'), ...exchange(1_000, 'y'), ...exchange(1_001, 'y')], 'b');
      const log = logOf(800, 'x'.repeat(500));
      await write([...log, ...other.map((event) => ({ ...event, seq: event.seq + log.length }))]);
      const ids = await said(20);
      assert.deepEqual(ids?.slice(-4), ['user-1000', 'assistant-1000', 'user-1001', 'assistant-1001']);
      assert.deepEqual(ids.slice(-6, -4), ['user-799', 'assistant-799']);
      assert.ok(ids.length >= 20 && ids.length < 1_000);
    });

    it('leave out what another segment may have changed before its end was read', async () => {
      const log = logOf(800, 'x'.repeat(500)).map((event) => ({ ...event, seq: event.seq * 2 }));
      const others = stamp(Array.from({ length: 800 }, (_, n) => exchange(n + 2_000, 'y'.repeat(2_000))).flat(), 'b');
      await write([...log, ...others.map((event) => ({ ...event, seq: event.seq * 2 + 1 }))]);
      const ids = (await said(20)) ?? [];
      const first = Number(ids.find((id) => id.startsWith('user-2'))?.slice('user-'.length));
      assert.ok(ids.includes(`user-${String(first - 2_000 + 2)}`), ids.slice(0, 9).join(' '));
      assert.ok(!ids.includes(`user-${String(first - 2_000 - 2)}`), ids.slice(0, 9).join(' '));
    });

    it('are nothing where the chat opens as quickly', async () => {
      await write(logOf(10, 'x'));
      assert.equal(await said(5), null);
      await write(logOf(400, 'x'.repeat(500)));
      assert.notEqual(await said(5), null);
      await store.updateIndex(CHAT);
      assert.equal(await said(5), null);
    });

    it('are nothing where what is on show cannot be told from the end', async () => {
      const cleared: EventDraft = { type: 'rewound', rewindId: 'r', to: null, reason: 'cleared' };
      await write(stamp([created(), ...Array.from({ length: 400 }, (_, n) => exchange(n, 'x'.repeat(500))).flat(), cleared], 'a'));
      assert.equal(await said(0), null);
    });
  });
});
