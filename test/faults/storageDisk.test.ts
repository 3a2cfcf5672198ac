import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toLoupeError } from '../../src/engine/errors.js';
import type { Chats } from '../../src/host/chat/chats.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { Blobs } from '../../src/storage/blobs.js';
import { DraftFiles } from '../../src/storage/drafts.js';
import { nodeFiles } from '../../src/storage/files/files.js';
import { CountingHex } from '../support/engine/ports.js';
import { created } from '../support/engine/events.js';
import { SmallDisk } from '../support/faults/mounts.js';
import { panelOf, storageBanner, type TestPanel } from '../support/host/panel.js';
import { conversation, messages, runStatuses, wholeState } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';
import { rejection } from '../support/rejection.js';
import { CHAT, makeFolder, makeStore, readSegmentFile, removeFolder, title, titles, writer } from '../unit/storage/fixtures.js';
import { readChat } from '../support/storage/readChat.js';
import { openStreaming } from '../support/host/streaming.js';

/*
 * Chats on real disks that are full or read-only, and in another user's folders. This file is also the program
 *
 *   node <this file> write <root>   which reads a chat and writes to it as a user without files
 */

const MIB = 2 ** 20;
/** The id of a user without files. */
const NOBODY = 65_534;
/** Room for the sign of life and a few lines, but not for a long message. */
const LITTLE_ROOM = 16_384;
/** A copy without progress display and abort. */
const unwatched = { signal: new AbortController().signal, progress: (): void => undefined };
const LONG_TEXT = 'A long question. '.repeat(2_000);

function describeDisks(): void {
  describe('a chat on a small disk', () => {
    const windows = useWindows();
    let disk: SmallDisk;

    beforeEach(() => {
      disk = new SmallDisk(windows.folder, MIB);
    });
    // A nested suite, so that this runs before the folder is removed.
    describe('of its own', () => {
      afterEach(() => {
        disk.unmount();
      });

      async function opened(session: ChatSession | null): Promise<TestPanel & { readonly session: ChatSession; readonly chats: Chats }> {
        const { chats, ...window } = windows.open({ writerId: 'window' });
        const panel = await panelOf({ chats, ...window }, session?.id);
        return { ...panel, session: await panel.shown.current(), chats };
      }

      async function assertSaved({ id, state }: ChatSession): Promise<void> {
        const reopened = await windows.open({ writerId: 'other' }).chats.open(id);
        assert.deepEqual(wholeState(reopened.state), wholeState(state));
        assert.deepEqual(reopened.faults, []);
      }

      it('that fills up goes on from memory, says so, and is whole on the disk when there is room again', async () => {
        const panel = await opened(null);
        const { session } = panel;
        await session.conversation.send('/long 2');
        disk.fill(LITTLE_ROOM);
        await session.conversation.send(LONG_TEXT);
        await session.conversation.send('/long 3');
        assert.deepEqual(runStatuses(session.state), ['committed', 'committed', 'committed']);
        assert.match(storageBanner(panel) ?? '', /^This chat could not be saved: the disk is full\. .*Your text is not saved /);
        await panel.say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
        assert.notEqual(storageBanner(panel), undefined);
        disk.makeRoom();
        await panel.say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
        assert.equal(storageBanner(panel), undefined);
        await assertSaved(session);
      });

      it('leaves whole lines only, wherever the room ends', async () => {
        const store = makeStore(windows.folder, writer('me'));
        const journal = store.journal(CHAT);
        await journal.append([created(), title('first')], 'durable').written;
        for (let pages = 0; pages < 6; pages += 1) {
          disk.fill(pages * 4_096);
          const texts = Array.from({ length: 4 }, (_, index) => `${String(pages)} ${String(index)} ${'x'.repeat(8_000)}`);
          const results = await Promise.allSettled(texts.map((text) => journal.append([title(text)], 'written').written));
          assert.equal(results.at(-1)?.status, 'rejected');
          const { faults } = await readChat(makeStore(windows.folder, writer('other')), CHAT);
          assert.deepEqual(faults, []);
          disk.makeRoom();
          await journal.retry();
        }
        const { events, faults } = await readChat(makeStore(windows.folder, writer('other')), CHAT);
        assert.equal(titles(events).length, 1 + 6 * 4);
        assert.deepEqual(faults, []);
        await store.close();
      });

      it('that is full takes a new chat into memory, and keeps it when there is room', async () => {
        const panel = await opened(null);
        disk.fill(0);
        const fresh = await panel.chats.create();
        await fresh.conversation.send('/long 2');
        assert.deepEqual(conversation(fresh.state), ['user: /long 2', 'assistant: Practice text.']);
        disk.makeRoom();
        await fresh.saving.retry();
        await assertSaved(fresh);
      });

      it('that is full keeps the draft that was saved before, and leaves no part of another', async () => {
        const drafts = new DraftFiles(windows.folder);
        const { session } = await opened(null);
        await drafts.write(session.id, 'before');
        disk.fill(0);
        const error = await rejection(drafts.write(session.id, LONG_TEXT));
        assert.equal(error.message, 'The draft of this chat could not be saved: the disk is full.');
        assert.equal(await drafts.read(session.id), 'before');
        const files = readdirSync(join(windows.folder, 'chats', session.id)).filter((name) => name.startsWith('draft'));
        assert.deepEqual(files, ['draft.json']);
      });

      it('that is full keeps a chat that could not be deleted, as usable as before', async () => {
        const { session, chats } = await opened(null);
        disk.fill(0);
        const error = await rejection(chats.delete(session.id));
        assert.equal(error.message, 'The chat could not be deleted: the disk is full.');
        assert.deepEqual(readdirSync(join(windows.folder, 'chats')), [session.id]);
        disk.makeRoom();
        await session.conversation.send('/long 2');
        await assertSaved(session);
      });

      it('that is full keeps no part of a blob', async () => {
        const folder = join(windows.folder, 'chats', CHAT);
        const blobs = new Blobs({ folder, files: nodeFiles, random: new CountingHex(), refusal: () => Promise.resolve(null) });
        disk.fill(LITTLE_ROOM);
        const error = await rejection(blobs.put(Buffer.alloc(MIB)));
        assert.equal(error.message, 'An attachment or a tool result could not be saved: the disk is full.');
        assert.deepEqual(readdirSync(join(folder, 'blobs')), []);
      });

      it('that is full keeps no part of a chat that could not be imported', async () => {
        const { session, chats } = await opened(null);
        await session.conversation.send(LONG_TEXT);
        disk.fill(LITTLE_ROOM);
        const error = await rejection(chats.importChat(join(windows.folder, 'chats', session.id), unwatched));
        assert.equal(error.message, 'The chat could not be imported: the disk is full.');
        assert.deepEqual(readdirSync(join(windows.folder, 'chats')), [session.id]);
      });

      it('that is read-only can be read, goes on from memory with the reason, and is saved when it can be written', async () => {
        const { window: before, session: old } = await windows.openChat({ writerId: 'before' }, '/long 2');
        await before.chats.close();
        disk.makeReadOnly();
        const panel = await opened(old);
        const { session } = panel;
        assert.deepEqual(conversation(session.state), ['user: /long 2', 'assistant: Practice text.']);
        await session.conversation.send('/long 3');
        assert.equal(conversation(session.state).at(-1), 'assistant: Practice text that.');
        assert.match(storageBanner(panel) ?? '', /^This chat could not be saved: the disk is read-only\. .*Your text is not saved /);
        const fresh = await panel.chats.create();
        await fresh.conversation.send('/long 2');
        assert.match(fresh.saving.state.kind === 'failing' ? fresh.saving.state.error.message : '', /: the disk is read-only\.$/);
        assert.match((await rejection(panel.chats.delete(old.id))).message, /could not be deleted: the disk is read-only\.$/);
        assert.match((await rejection(new DraftFiles(windows.folder).write(old.id, 'x'))).message, /the disk is read-only\.$/);
        disk.makeWritable();
        await session.saving.retry();
        await fresh.saving.retry();
        await assertSaved(session);
        await assertSaved(fresh);
      });

      it('that is full while a reply streams has all of it in the end', async () => {
        const { session, finish } = await openStreaming(windows, {}, '/long 400', 200);
        disk.fill(0);
        await finish();
        assert.equal(session.saving.state.kind, 'failing');
        disk.makeRoom();
        await session.saving.retry();
        assert.equal(messages(session.state).length, 2);
        await assertSaved(session);
      });
    });
  });
}

/** Runs the program, which tries to write to a chat without permission to write or read it. Returns its output. */
function asNobody(root: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, 'write', root], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function describeAccess(): void {
  describe('a chat in a folder of another user', () => {
    let root: string;
    beforeEach(async () => {
      root = await makeFolder();
      const store = makeStore(root, writer('owner'));
      await store.journal(CHAT).append([created(), title('a')], 'durable').written;
      await store.close();
      chmodSync(root, 0o755);
    });
    afterEach(async () => {
      for (const folder of [root, join(root, 'chats'), join(root, 'chats', CHAT)]) {
        chmodSync(folder, 0o755);
      }
      await removeFolder(root);
    });

    it('can be read; what is written stays in memory, with the reason', async () => {
      chmodSync(join(root, 'chats', CHAT), 0o555);
      const before = await readSegmentFile(join(root, 'chats', CHAT), 'owner');
      const denied = 'This chat could not be saved: access was denied.';
      assert.deepEqual(asNobody(root), { read: ['a'], error: denied, waiting: ['b'] });
      assert.deepEqual(readFileSync(join(root, 'chats', CHAT, 'owner.jsonl')), before);
      assert.deepEqual(readdirSync(join(root, 'chats', CHAT)), ['owner.jsonl']);
    });

    it('that cannot even be read is an error, not an empty chat', () => {
      chmodSync(join(root, 'chats', CHAT), 0o000);
      const { read } = asNobody(root) as { read: unknown };
      assert.equal(read, 'This chat could not be opened: access was denied.');
    });
  });
}

async function writeAsNobody(root: string): Promise<void> {
  if (process.getuid?.() === 0) {
    // Root can write everywhere.
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  }
  const store = makeStore(root, writer('other'));
  const read = await readChat(store, CHAT).then(
    ({ events }) => titles(events),
    (thrown: unknown) => toLoupeError(thrown).message,
  );
  const journal = store.journal(CHAT);
  const [result] = await Promise.allSettled([journal.append([title('b')], 'durable').written]);
  const error = result.status === 'rejected' ? toLoupeError(result.reason).message : null;
  writeSync(1, JSON.stringify({ read, error, waiting: titles(journal.pendingEvents) }));
}

const [program, root] = process.argv.slice(2);
if (program === 'write' && root !== undefined) {
  await writeAsNobody(root);
} else {
  const reason = process.platform === 'linux' ? SmallDisk.whyNot() : 'only Linux is known here';
  if (reason === null) {
    describeDisks();
  } else {
    process.stdout.write(`The tests of full and read-only disks do not run: no file system can be mounted here (${reason}).\n`);
  }
  if (process.platform !== 'win32') {
    describeAccess();
  }
}
