import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { CurrentChatFile } from '../../src/storage/currentChat.js';
import { DraftFiles } from '../../src/storage/drafts.js';
import { nodeFiles, type DiskFile } from '../../src/storage/files/files.js';
import { created } from '../support/engine/events.js';
import { PowerDisk } from '../support/faults/mounts.js';
import { NodeDisk } from '../support/faults/nodeDisk.js';
import { RunningClock, SteppedClock, stepUntil, turn, until } from '../support/host/clocks.js';
import { conversation, runStatuses, unsentTexts, wholeState } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';
import { CHAT, makeStore, title, titles, writer } from '../unit/storage/fixtures.js';
import { readChat } from '../support/storage/readChat.js';

/* Power failures: what a disk has when all memory is lost, including that of the file system. */

const APPENDS = 12;
/** The shortest restart of a computer. Signs of life on disk are stale then. */
const RESTART_MS = 30_000;

function describePowerCuts(): void {
  describe('after a power cut', () => {
    const windows = useWindows();
    let disk: PowerDisk;

    beforeEach(() => {
      disk = new PowerDisk(windows.folder);
    });
    // A nested suite, so that this runs before the folder is removed.
    describe('a disk', () => {
      afterEach(() => {
        disk.unmount();
      });

      const titlesAfterCut = (): Promise<string[]> =>
        disk.afterPowerCut(async (folder) => titles((await readChat(makeStore(folder, writer('other')), CHAT)).events));

      it('has lost what was written and not made durable: this is what the other tests rest on', async () => {
        const store = makeStore(windows.folder, writer('me'));
        await store.journal(CHAT).append([created(), title('a')], 'durable').written;
        await store.journal(CHAT).append([title('b')], 'written').written;
        assert.deepEqual(await titlesAfterCut(), ['a']);
        await store.close();
      });

      it('has every append that was reported as durable, the first of a new storage too, and all before it', async () => {
        const store = makeStore(windows.folder, writer('me'));
        const journal = store.journal(CHAT);
        const appended: string[] = [];
        for (let count = 0; count < APPENDS; count += 1) {
          const [written, durable] = [`${String(count)} written ${'x'.repeat(count * 700)}`, `${String(count)} durable`];
          // Every second one follows no pending line: it is written and synced in one step.
          if (count % 2 === 0) {
            void journal.append([...(count === 0 ? [created()] : []), title(written)], 'written');
            appended.push(written);
          }
          await journal.append([title(durable)], 'durable').written;
          appended.push(durable);
          assert.deepEqual(await titlesAfterCut(), appended);
        }
        await store.close();
      });

      it('has what was saved when the window closed', async () => {
        const store = makeStore(windows.folder, writer('me'));
        void store.journal(CHAT).append([created(), title('a')], 'written');
        await store.close();
        assert.deepEqual(await titlesAfterCut(), ['a']);
      });

      it('has a deletion, and what took it back', async () => {
        const store = makeStore(windows.folder, writer('me'));
        await store.journal(CHAT).append([created(), title('a')], 'durable').written;
        await store.deleteChat(CHAT);
        assert.deepEqual(await disk.afterPowerCut((folder) => makeStore(folder, writer('other')).listChatIds()), []);
        await store.undeleteChat(CHAT);
        assert.deepEqual(await titlesAfterCut(), ['a']);
        await store.close();
      });

      it('has a blob before anything can name it', async () => {
        const store = makeStore(windows.folder, writer('me'));
        const bytes = Buffer.alloc(100_000, 'content');
        const sha = await store.blobs(CHAT).put(bytes);
        const kept = await disk.afterPowerCut((folder) => makeStore(folder, writer('other')).blobs(CHAT).get(sha));
        assert.ok(bytes.equals(kept));
        await store.close();
      });

      it('has the draft and the chat on show as they were before or after the last change, never a part of them', async () => {
        const [drafts, current] = [new DraftFiles(windows.folder), new CurrentChatFile(windows.folder)];
        const store = makeStore(windows.folder, writer('me'));
        await store.journal(CHAT).append([created(), title('a')], 'durable').written;
        await drafts.write(CHAT, 'before');
        await current.write(CHAT);
        await nodeFiles.syncFolder(windows.folder);
        for (let count = 0; count < APPENDS; count += 1) {
          await drafts.write(CHAT, `after ${String(count)}`);
          await current.write(CHAT);
          // Writes the new name to disk, as any durable append of another chat does.
          await nodeFiles.syncFolder(windows.folder);
          const kept = await disk.afterPowerCut(async (folder) => [
            await new DraftFiles(folder).read(CHAT),
            await new CurrentChatFile(folder).read(),
          ]);
          assert.deepEqual(kept, [`after ${String(count)}`, CHAT]);
        }
        await store.close();
      });

      /** The chat in a window that opens it after a power failure now. */
      async function reopened(chatId: string): Promise<ChatSession> {
        await disk.afterPowerCut(async (folder) => {
          await windows.newFolder();
          await cp(folder, windows.folder, { recursive: true, preserveTimestamps: true });
        });
        const clock = new RunningClock();
        clock.time += RESTART_MS;
        return windows.open({ writerId: 'after', clock }).chats.open(chatId);
      }

      it('has the user message before the model is called', async () => {
        const clock = new SteppedClock();
        const { window, session } = await windows.openChat({ clock });
        void session.conversation.send('/long 30');
        await stepUntil(clock, () => window.model.bodies.length > 0, 'the model is called');
        const after = await reopened(session.id);
        assert.deepEqual([unsentTexts(after.state), runStatuses(after.state)], [['/long 30'], ['interrupted']]);
      });

      it('has a whole run when it has ended', async () => {
        const { session } = await windows.openChat({}, '/long 30');
        const after = await reopened(session.id);
        assert.deepEqual(wholeState(after.state), wholeState(session.state));
      });
    });
  });
}

/** A real disk whose syncs wait for `release`. */
class SlowDisk extends NodeDisk {
  readonly #waiting: (() => void)[] = [];
  isSlow = false;

  get waiting(): number {
    return this.#waiting.length;
  }

  release(): void {
    this.#waiting.shift()?.();
  }

  override async open(path: string): Promise<DiskFile> {
    const file = await super.open(path);
    return {
      ...file,
      writeThrough: async (bytes, position) => {
        await this.#wait();
        return file.writeThrough(bytes, position);
      },
      datasync: async () => {
        await this.#wait();
        await file.datasync();
      },
    };
  }

  async #wait(): Promise<void> {
    if (this.isSlow) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

describe('a disk that takes its time to keep something', () => {
  const windows = useWindows();

  it('is waited for in a run: for the message, for the record of the request before it is sent, and for the end', async () => {
    const storage = new SlowDisk();
    const { window, session } = await windows.openChat({ storage });
    storage.isSlow = true;
    let ended = false;
    const run = session.conversation.send('/long 2').then(() => {
      ended = true;
    });
    await until(() => storage.waiting === 1, 'the user message is to be kept');
    await turns();
    assert.deepEqual(window.model.bodies, []);
    storage.release();
    await until(() => storage.waiting === 1, 'the record of the request is to be kept');
    await turns();
    assert.deepEqual([session.state.attempts.size, window.model.bodies], [1, []]);
    storage.release();
    await until(() => storage.waiting === 1, 'the end of the run is to be kept');
    await turns();
    assert.equal(window.model.bodies.length, 1);
    assert.equal(ended, false);
    storage.release();
    await run;
    assert.deepEqual(conversation(session.state), ['user: /long 2', 'assistant: Practice text.']);
  });
});

/** Runs everything that does not wait for the disk. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    await turn();
  }
}

const reason = process.platform === 'linux' ? PowerDisk.whyNot() : 'only Linux is known here';
if (reason === null) {
  describePowerCuts();
} else {
  process.stdout.write(`The tests of power cuts do not run: no disk can be mounted here (${reason}).\n`);
}
