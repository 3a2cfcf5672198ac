import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { foldLog } from '../../support/engine/folds.js';
import { messageText } from '../../../src/engine/chat/message/message.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { chatText } from '../../../src/host/chat/chatText.js';
import type { DiskFile } from '../../../src/storage/files/files.js';
import { NodeDisk } from '../../support/faults/nodeDisk.js';
import { damageLine, writeAsOther } from '../../support/host/damage.js';
import { lastUser, messages, wholeState } from '../../support/host/reading.js';
import { exported, type Exported } from '../../support/host/exported.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';
import { RESTORE_STEP } from '../../support/host/longChat.js';

/** So many turns that a chat opens without the first ones. */
const MANY = 36;

const NOT_AS_JSON_LINES =
  'This chat cannot be exported as JSON Lines: its file was deleted, or the beginning of the file is missing. ' +
  'Export it as Markdown instead: choose a file name that ends in .md.';

class ReadOnlyDisk extends NodeDisk {
  override open(): Promise<DiskFile> {
    return Promise.reject(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }));
  }
}

function text({ bytes }: Exported): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function events(content: Exported): ChatEvent[] {
  const lines = text(content).split('\n');
  assert.equal(lines.pop(), '', 'every line is ended');
  return lines.map((line) => JSON.parse(line) as ChatEvent);
}

function stateIn(content: Exported): unknown {
  return wholeState(foldLog(events(content)).state);
}

describe('A chat that is exported', () => {
  const windows = useWindows();

  function folder({ id }: ChatSession): string {
    return join(windows.folder, 'chats', id);
  }

  async function openedToItsEnd(): Promise<{ readonly made: ChatSession; readonly session: ChatSession; readonly window: Window }> {
    const made = await windows.open({ writerId: 'made' }).chats.create();
    for (let turn = 1; turn <= MANY; turn += 1) {
      await made.conversation.send(`/long ${String(turn)}`);
    }
    const window = windows.open({ writerId: 'other', restoreStep: RESTORE_STEP });
    await window.store.updateDerived(made.id, 50);
    const session = await window.chats.open(made.id);
    assert.equal(session.state.extent, 'end', 'not all of it was read');
    return { made, session, window };
  }

  describe('as JSON Lines', () => {
    it('is every event of all windows in the order of the log, also what an edit has set aside', async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      await session.conversation.edit(lastUser(session.state).id, '/long 3');
      await writeAsOther(windows.folder, session.id, [{ type: 'title', title: 'From the other window', by: 'user' }]);
      await window.chats.otherWindows.poll([session.id]);
      await session.conversation.send('/long 4');
      const content = await exported(session, 'jsonLines', window, {});
      assert.deepEqual(content.missing, []);
      assert.deepEqual(stateIn(content), wholeState(session.state));
      const all = events(content);
      assert.deepEqual([all[0]?.type, all.at(-1)?.type], ['chat-created', 'run-committed']);
      assert.deepEqual([...new Set(all.map(({ writer }) => writer))], ['window', 'other']);
      assert.ok(all.every(({ v, seq }, index) => v === LOG_VERSION && seq > (all[index - 1]?.seq ?? 0)));
      assert.ok(all.some((event) => event.type === 'message' && messageText(event.message) === '/long 2'));
    });

    it('holds what is not saved yet', async () => {
      const { session: made } = await windows.openChat({ writerId: 'made' }, '/long 2');
      const window = windows.open({ writerId: 'other', storage: new ReadOnlyDisk() });
      const session = await window.chats.open(made.id);
      await session.conversation.send('/long 3');
      assert.equal(session.saving.state.kind, 'failing');
      const content = await exported(session, 'jsonLines', window, {});
      assert.deepEqual([stateIn(content), content.missing], [wholeState(session.state), []]);
    });

    it('comes from memory alone when nothing of it was ever saved', async () => {
      const { window, session } = await windows.openChat({ storage: new ReadOnlyDisk() }, '/long 3');
      const content = await exported(session, 'jsonLines', window, {});
      assert.deepEqual([stateIn(content), content.missing], [wholeState(session.state), []]);
    });

    it('holds what was not read of it yet, and reads it only for the file', async () => {
      const { made, session, window } = await openedToItsEnd();
      const shares: number[] = [];
      const content = await exported(session, 'jsonLines', window, { progress: (copied, total) => shares.push(copied / total) });
      assert.deepEqual([stateIn(content), content.missing], [wholeState(made.state), []]);
      assert.equal(session.state.extent, 'end');
      assert.equal(shares.at(-1), 1);
    });

    it('is refused when its folder was deleted, with what can be done', async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      await rm(folder(session), { recursive: true });
      await session.conversation.send('/long 3');
      const error = await rejection(exported(session, 'jsonLines', window, {}));
      assert.deepEqual([error.kind, error.message], ['storage', NOT_AS_JSON_LINES]);
    });

    it('is refused when its folder cannot be read, with the reason', async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      await rm(folder(session), { recursive: true });
      await writeFile(folder(session), 'a file');
      const error = await rejection(exported(session, 'jsonLines', window, {}));
      assert.match(
        error.message,
        /^This chat cannot be exported as JSON Lines: a file exists where a folder is expected\. Export it as Markdown/,
      );
    });

    it('says when the log has lost what this window still holds', async () => {
      const { session: made } = await windows.openChat({ writerId: 'made' }, '/long 2');
      const window = windows.open({ writerId: 'other' });
      const session = await window.chats.open(made.id);
      await session.conversation.send('/long 3');
      await rm(join(folder(session), 'other.jsonl'));
      const content = await exported(session, 'jsonLines', window, {});
      assert.deepEqual(content.missing, ['The file of this chat on disk lacks some messages. Export the chat as Markdown to keep them.']);
      assert.deepEqual(stateIn(content), wholeState(made.state));
    });
  });

  describe('as Markdown', () => {
    it('holds what was not read of it yet', async () => {
      const { made, session, window } = await openedToItsEnd();
      const shares: number[] = [];
      const content = await exported(session, 'markdown', window, { progress: (here, all) => shares.push(here / all) });
      assert.deepEqual([text(content), content.missing], [chatText(made.state), []]);
      assert.match(text(content), /^# \/long 1\n\n## You\n\n\/long 1\n\n## Assistant\n\n\*practice\/standard · .+\*\n\nPractice\.\n/);
      assert.deepEqual([shares[0], shares.at(-1)], [0, 1]);
      assert.ok(shares.every((share, index) => share >= (shares[index - 1] ?? 0)));
    });

    it('is all that there is in memory when its folder was deleted', async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      await rm(folder(session), { recursive: true });
      await session.conversation.send('/long 3');
      const content = await exported(session, 'markdown', window, {});
      assert.deepEqual(content.missing, []);
      const asked = '*practice/standard · 2023-11-14 22:13 UTC';
      assert.equal(
        text(content),
        `# /long 2\n\n## You\n\n/long 2\n\n## Assistant\n\n${asked} · 52 in · 0 cached · 0 written · 3 out · would cost $0.0002*\n\nPractice text.\n\n` +
          `## You\n\n/long 3\n\n## Assistant\n\n${asked} · 67 in · 0 cached · 0 written · 4 out · would cost $0.0003*\n\nPractice text that.\n`,
      );
    });

    it('says how much is missing when its earlier messages cannot be read any more', async () => {
      const { session, window } = await openedToItsEnd();
      const earlier = session.state.extent === 'end' ? session.state.earlier : null;
      await rm(folder(session), { recursive: true });
      const content = await exported(session, 'markdown', window, {});
      assert.equal(content.missing.length, 1);
      assert.match(content.missing[0] ?? '', /^This chat could not be opened: .+\.$/);
      const isLogged = window.errors.some(({ message }) => message === content.missing[0]);
      assert.ok(isLogged, 'the log tells as well');
      assert.ok(
        text(content).startsWith(`# /long 1\n\n(${String(earlier?.messages)} earlier messages are not in this copy.)\n\n## You\n\n`),
      );
      assert.ok(text(content).includes(`/long ${String(MANY)}`));
    });
  });

  for (const format of ['jsonLines', 'zip'] as const) {
    it(`as ${format} has no image that was removed before it was sent`, async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      const removed = await session.records.keepBlob(Buffer.from('a removed image'));
      const kept = Buffer.from([0xff, 0xd8, 0xff]);
      await session.files.putFileContent('a.jpg', { bytes: kept, mimeType: 'image/jpeg', summary: null });
      const sent = createHash('sha256').update(kept).digest('hex');
      const { bytes } = await exported(session, format, window, {});
      assert.deepEqual([bytes.includes(sent), bytes.includes(removed)], [true, false]);
    });
  }

  it('in either format tells of damage, and not of a byte order mark that costs nothing', async () => {
    const made = await windows.open({ writerId: 'made' }).chats.create();
    await made.titler.rename('To be lost');
    await made.titler.rename('To be lost as well');
    await made.conversation.send('/long 2');
    const path = join(folder(made), 'made.jsonl');
    await writeFile(path, `\ufeff${await readFile(path, 'utf8')}`);
    const missing = async (writerId: string): Promise<unknown> => {
      const window = windows.open({ writerId });
      const session = await window.chats.open(made.id);
      const both = [await exported(session, 'markdown', window, {}), await exported(session, 'jsonLines', window, {})];
      assert.deepEqual(both[0]?.missing, both[1]?.missing);
      return both[0]?.missing;
    };
    assert.deepEqual(await missing('first'), []);
    await damageLine(windows.folder, made.id, 1);
    assert.deepEqual(await missing('second'), ['1 damaged place of the log is missing in the export.']);
    await damageLine(windows.folder, made.id, 2);
    assert.deepEqual(await missing('third'), ['2 damaged places of the log are missing in the export.']);
  });

  it('can be given up, and goes on as it was', async () => {
    const { session, window } = await openedToItsEnd();
    const abort = new AbortController();
    abort.abort();
    let read = 0;
    const watch = { signal: abort.signal, progress: () => (read += 1) };
    for (const format of ['markdown', 'jsonLines'] as const) {
      assert.equal((await rejection(exported(session, format, window, watch))).kind, 'cancelled');
    }
    assert.equal(read, 0, 'nothing is read any more');
    await session.conversation.send('/long 2');
    assert.equal(messages(session.state).at(-1)?.role, 'assistant');
  });
});
