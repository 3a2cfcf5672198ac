import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';
import type { CopyWatch } from '../../src/storage/files/copyWatch.js';
import { nodeFiles } from '../../src/storage/files/files.js';
import { findChats, MOST_CHATS } from '../../src/storage/transfer/foundChats.js';
import { encodeLine } from '../../src/storage/log/line.js';
import { SteppedClock, stepUntil } from '../support/host/clocks.js';
import { damageLine, writeNewerLine } from '../support/host/damage.js';
import { conversation, messages, partialText, runStatuses } from '../support/host/reading.js';
import { DEAD_PID, useWindows, type Window, type WindowOptions } from '../support/host/window.js';
import { rejection } from '../support/rejection.js';
import { contents, SmallDisk, stamped, systemError, title } from '../unit/storage/fixtures.js';
import { readChat } from '../support/storage/readChat.js';

const REPLY = 'Practice text.';

describe('a chat of another workspace that is damaged, changes or goes while it is imported', () => {
  const windows = useWindows();
  let elsewhere: string;
  let chatId: string;
  let path: string;

  beforeEach(async () => {
    elsewhere = windows.folder;
    const { window, session } = await windows.openChat({ writerId: 'before' }, '/long 2');
    await window.store.blobs(session.id).put(Buffer.from('an attachment'));
    chatId = session.id;
    path = join(elsewhere, 'chats', chatId);
    await writeFile(join(path, 'draft.json'), '{"text":"a draft"}');
  });

  async function here(options: WindowOptions): Promise<Window> {
    await windows.newFolder();
    return windows.open({ writerId: 'now', ...options });
  }

  /** Imports. Calls `act` before each file and after each piece, with the number of calls so far. */
  function importWhile(window: Window, act: (pieces: number) => void): ReturnType<Window['chats']['importChat']> {
    let pieces = 0;
    return window.chats.importChat(
      path,
      watched(() => {
        pieces += 1;
        act(pieces);
      }),
    );
  }

  describe('damaged', () => {
    it('keeps what is whole, and tells of the rest as it does where it came from', async () => {
      await damageLine(elsewhere, chatId, 3);
      appendFileSync(join(path, 'before.jsonl'), 'garbage\n');
      const original = await windows.open({ writerId: 'looking' }).chats.open(chatId);
      assert.equal(original.faults.length, 2);
      const copy = await (await here({})).chats.importChat(path, unwatched);
      assert.deepEqual(copy.faults, original.faults);
      assert.deepEqual(conversation(copy.state), conversation(original.state));
      await copy.conversation.send('/long 2');
      assert.equal(copy.readOnly, null);
    });

    it('in the line that created it is not imported, and is counted among those that could not be read', async () => {
      await damageLine(elsewhere, chatId, 0);
      const window = await here({});
      const error = await rejection(window.chats.importChat(path, unwatched));
      assert.equal(error.message, 'This folder is not a chat, or the first line of the chat is damaged.');
      assert.deepEqual(await contents(window.folder), {});
      assert.deepEqual(await found([elsewhere]), {
        titles: [],
        unread: 1,
        reports: [`A chat from another workspace could not be read: the line that created it is damaged (${path}).`],
      });
    });

    it('by a byte order mark is found and imported, with the badge', async () => {
      const bytes = readFileSync(join(path, 'before.jsonl'));
      writeFileSync(join(path, 'before.jsonl'), Buffer.concat([Buffer.from('\ufeff'), bytes]));
      assert.deepEqual((await found([elsewhere])).titles, ['/long 2']);
      const copy = await (await here({})).chats.importChat(path, unwatched);
      assert.equal(copy.faults.length, 1);
      assert.equal(conversation(copy.state).length, 2);
    });
  });

  describe('of a newer version', () => {
    it('in part is imported as it is, can be read, and is not continued', async () => {
      await writeNewerLine(elsewhere, chatId);
      const window = await here({});
      const copy = await window.chats.importChat(path, unwatched);
      assert.equal(copy.readOnly, 'This chat needs a newer version of Loupe. You can read it. Update Loupe to continue it.');
      assert.deepEqual(conversation(copy.state), ['user: /long 2', `assistant: ${REPLY}`]);
      assert.deepEqual(readFileSync(join(window.folder, 'chats', copy.id, 'newer.jsonl')), readFileSync(join(path, 'newer.jsonl')));
    });

    it('as a whole is not imported, with that reason, and is counted among those that could not be read', async () => {
      const stamp = { v: LOG_VERSION + 1, seq: 1, id: 'newer-1', at: 1, writer: 'before' };
      writeFileSync(join(path, 'before.jsonl'), encodeLine({ ...title('From the future'), ...stamp }));
      const window = await here({});
      const error = await rejection(window.chats.importChat(path, unwatched));
      assert.equal(error.message, 'This chat needs a newer version of Loupe. Update Loupe to import it.');
      assert.deepEqual(await contents(window.folder), {});
      const { unread, reports } = await found([elsewhere]);
      assert.deepEqual(
        [unread, reports],
        [1, [`A chat from another workspace could not be read: it was made by a newer version of Loupe (${path}).`]],
      );
    });
  });

  describe('written to by another window', () => {
    it('is imported as it was at the begin, from all segments at once', async () => {
      const lines = (from: number, writerId: string): Buffer =>
        Buffer.concat([0, 1].map((more) => encodeLine(stamped(title('late'), from + more, writerId))));
      writeFileSync(join(path, 'also.jsonl'), lines(500, 'also'));
      const before = await contents(path);
      const window = await here({});
      const copy = await importWhile(window, () => {
        // A whole line, and the start of the next one.
        for (const writerId of ['before', 'also']) {
          appendFileSync(join(path, `${writerId}.jsonl`), lines(1_000, writerId).subarray(0, -7));
        }
      });
      const copied = await contents(join(window.folder, 'chats', copy.id));
      for (const name of ['before.jsonl', 'also.jsonl', 'draft.json']) {
        assert.equal(copied[join(window.folder, 'chats', copy.id, name)], before[join(path, name)], name);
      }
      assert.deepEqual(copy.faults, []);
    });

    it('in the middle of a line is imported up to the line before, and of a line longer than a look as well', async () => {
      const long = `{"v":1,"seq":900,"id":"half","text":"${'x'.repeat(5_000_000)}`;
      appendFileSync(join(path, 'before.jsonl'), long);
      const copy = await (await here({})).chats.importChat(path, unwatched);
      assert.deepEqual(copy.faults, []);
      assert.equal(conversation(copy.state).length, 2);
      const event = (await readChat(windows.open({ writerId: 'later' }).store, copy.id)).events.at(-1);
      assert.equal(event?.type, 'imported');
    });

    it('in the middle of a reply shows that as interrupted; there it goes on', async () => {
      const clock = new SteppedClock();
      const window = await here({});
      const source = (await here({ clock, writerId: 'answering' })).chats;
      const session = await source.create();
      const run = session.conversation.send('/long 300');
      await stepUntil(clock, () => partialText(session).length > 400, 'text streams');
      path = join(windows.folder, 'chats', session.id);
      const copy = await window.chats.importChat(path, unwatched);
      assert.deepEqual(runStatuses(copy.state), ['interrupted']);
      const partial = partialText(session);
      await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
      await run;
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.ok(partial.length > 400);
      await copy.conversation.retry(messages(copy.state)[0]?.id ?? '');
    });
  });

  describe('that goes while it is copied', () => {
    for (const piece of [1, 3, 5]) {
      it(`leaves nothing behind, when its folder goes at file ${String((piece + 1) / 2)} of 3`, async () => {
        writeFileSync(join(path, 'second.jsonl'), encodeLine(stamped(title('more'), 900, 'second')));
        const window = await here({});
        const error = await rejection(
          importWhile(window, (pieces) => {
            if (pieces === piece) {
              rmSync(path, { recursive: true });
            }
          }),
        );
        assert.equal(error.kind, 'storage');
        assert.equal(error.message, 'The chat could not be imported: the file or its folder does not exist.');
        assert.deepEqual(await contents(window.folder), {});
        assert.deepEqual(readdirSync(join(window.folder, 'chats')), []);
      });
    }

    it('leaves nothing behind, when it is cut meanwhile', async () => {
      appendFileSync(join(path, 'before.jsonl'), encodeLine(stamped(title('x'.repeat(3_000_000)), 900, 'before')));
      const window = await here({});
      const error = await rejection(
        importWhile(window, () => {
          truncateSync(join(path, 'before.jsonl'), 10);
        }),
      );
      assert.equal(error.message, 'The chat could not be copied: before.jsonl changed during the copy. Try again.');
      assert.deepEqual(readdirSync(join(window.folder, 'chats')), []);
    });

    it('says that there is nothing where there is nothing', async () => {
      rmSync(path, { recursive: true });
      const error = await rejection((await here({})).chats.importChat(path, unwatched));
      assert.equal(error.message, 'The chat could not be imported: the file or its folder does not exist.');
    });
  });

  describe('onto a disk that fails', () => {
    it('leaves nothing behind, whatever there is room for, and is imported when there is enough', async () => {
      const window = await here({ storage: new SmallDisk(Infinity) });
      const copy = await window.chats.importChat(path, unwatched);
      const whole = await contents(join(window.folder, 'chats', copy.id));
      const bytes = Object.values(whole).reduce((sum, text) => sum + text.length, 0);
      for (let room = 0; room < bytes; room += 97) {
        const disk = new SmallDisk(room);
        const small = await here({ storage: disk });
        const error = await rejection(small.chats.importChat(path, unwatched));
        assert.equal(error.message, 'The chat could not be imported: the disk is full.', `room for ${String(room)} bytes`);
        assert.deepEqual(readdirSync(join(small.folder, 'chats')), [], `room for ${String(room)} bytes`);
        disk.room = Infinity;
        assert.equal(conversation((await small.chats.importChat(path, unwatched)).state).length, 2);
      }
    });

    it('leaves nothing behind when it cannot be brought to the disk, or cannot be named', async () => {
      const noSync = new SmallDisk(Infinity);
      noSync.syncFails = true;
      const renameFails = { ...nodeFiles, rename: () => Promise.reject(systemError('EACCES')) };
      let named = false;
      const nameFails = {
        ...nodeFiles,
        rename: async (from: string, to: string) => {
          await rename(from, to);
          named = true;
        },
        syncFolder: (folder: string) => (named ? Promise.reject(systemError('EIO')) : nodeFiles.syncFolder(folder)),
      };
      const failures: string[] = [];
      for (const storage of [noSync, renameFails, nameFails]) {
        const window = await here({ storage });
        failures.push((await rejection(window.chats.importChat(path, unwatched))).message);
        assert.deepEqual(readdirSync(join(window.folder, 'chats')), []);
      }
      assert.deepEqual(failures, [
        'The chat could not be imported: the disk reported an error.',
        'The chat could not be imported: access was denied.',
        'The chat could not be imported: the disk reported an error.',
      ]);
    });
  });

  if (process.platform !== 'win32') {
    it('by a pipe with the name of a segment is not imported, with that reason, and never waited for', async () => {
      assert.equal(spawnSync('mkfifo', [join(path, 'pipe.jsonl')]).status, 0);
      const reason = `A part of this chat cannot be read: pipe.jsonl is not a regular file (${path}).`;
      assert.deepEqual(await found([elsewhere]), { titles: [], unread: 1, reports: [reason] });
      const window = await here({});
      assert.equal((await rejection(window.chats.importChat(path, unwatched))).message, reason);
      assert.deepEqual(readdirSync(join(window.folder, 'chats')), []);
    });
  }

  it('is among the latest that are looked at when there are very many, and the others are counted', async () => {
    const many = join(elsewhere, 'many');
    for (let count = 0; count < MOST_CHATS; count += 1) {
      await mkdir(join(many, 'chats', `sess_1600000000000_${count.toString(16).padStart(6, '0')}`), { recursive: true });
    }
    const { chats, unseen } = await findChats([many, elsewhere], (error) => assert.fail(error));
    assert.deepEqual([chats.map(({ title: name }) => name), unseen], [['/long 2'], 1]);
  });

  it('is not held by a window that died there', async () => {
    const dead = windows.open({ writerId: 'dead', pid: DEAD_PID });
    await (await dead.chats.open(chatId)).conversation.send('/long 3');
    const copy = await (await here({})).chats.importChat(path, unwatched);
    assert.deepEqual(runStatuses(copy.state), ['committed', 'committed']);
  });
});

const unwatched: CopyWatch = watched(() => undefined);

function watched(progress: () => void): CopyWatch {
  return { signal: new AbortController().signal, progress };
}

async function found(storages: readonly string[]): Promise<{ titles: string[]; unread: number; reports: string[] }> {
  const reports: string[] = [];
  const { chats, unread } = await findChats(storages, (error) => reports.push(error.message));
  return { titles: chats.map(({ title: name }) => name), unread, reports };
}
