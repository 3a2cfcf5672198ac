import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { column } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { RunningClock, turn } from '../../support/host/clocks.js';
import { damageLine, writeAsOther, writeNewerLine } from '../../support/host/damage.js';
import { conversation, partialText, runStatuses, storedText } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { holdReads } from '../../support/host/storeReads.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';
import { SmallDisk } from '../storage/fixtures.js';
import { openStreaming } from '../../support/host/streaming.js';

const BROKEN = 'sess_1600000000000_00ff00';

describe('the chats of a window', () => {
  const windows = useWindows();
  const listed = ({ chats }: Window): string[] => chats.list().map(({ id }) => id);

  async function breakChat(): Promise<void> {
    await mkdir(join(windows.folder, 'chats', BROKEN), { recursive: true });
    await writeFile(join(windows.folder, 'chats', BROKEN, 'x.jsonl'), 'this is no line of a log\n');
  }

  describe('listed', () => {
    it('come latest first, with title, preview and number of messages', async () => {
      const { window, session: first } = await windows.openChat({}, 'What is this?\nTell me all.');
      const second = await window.chats.create();
      await second.conversation.send('/long 2');
      assert.deepEqual(listed(window), [second.id, first.id]);
      await first.titler.rename(' Renamed ');
      await first.conversation.send('/long 1');
      const [item] = window.chats.list();
      assert.deepEqual(
        [item?.id, item?.title, item?.preview, item?.messageCount, item?.running],
        [first.id, 'Renamed', 'What is this? Tell me all.', 4, false],
      );
    });

    it('have what somebody billed for them, also when they are read from disk', async () => {
      const { window, session } = await windows.openChat({ models: BILLED_MODELS });
      assert.equal(window.chats.list()[0]?.cost, null);
      await session.conversation.send('/long 2');
      const { cost } = ledgerTotals(session.state);
      assert.ok((cost ?? 0) > 0);
      const other = windows.open({ writerId: 'other' });
      await other.chats.refresh();
      assert.deepEqual([window.chats.list()[0]?.cost, other.chats.list()[0]?.cost], [cost, cost]);
      const practised = await other.chats.create();
      await practised.conversation.send('/long 2');
      const [row] = other.chats.list();
      assert.deepEqual([row?.id, row?.cost, row?.unknownRequests], [practised.id, null, 0]);
    });

    it('are the same in a window that opens later', async () => {
      const window = windows.open({});
      await (await window.chats.create()).conversation.send('/long 2');
      await (await window.chats.create()).conversation.send('/long 1');
      const other = windows.open({ writerId: 'other' });
      await other.chats.refresh();
      assert.deepEqual(other.chats.list(), window.chats.list());
    });

    it('tell which have damaged lines, the same from disk and from memory', async () => {
      const session = await windows.open({}).chats.create();
      await session.titler.rename('First');
      await session.conversation.send('/long 2');
      const { session: sound } = await windows.openChat({ writerId: 'sound' }, '/long 2');
      await damageLine(windows.folder, session.id, 1);
      const other = windows.open({ writerId: 'other' });
      const damage = (): unknown => new Map(other.chats.list().map((item) => [item.id, item.damage]));
      const expected = new Map([
        [session.id, { lines: 1 }],
        [sound.id, null],
      ]);
      await other.chats.refresh();
      assert.deepEqual(damage(), expected);
      await other.chats.open(session.id);
      assert.deepEqual(damage(), expected);
      const later = windows.open({ writerId: 'later' });
      await later.chats.refresh();
      assert.deepEqual(later.chats.list().find(({ id }) => id === session.id)?.damage, { lines: 1 }, 'read from its row');
    });

    it('tell which begin with what somebody else than the user said: their message is on a damaged line', async () => {
      const { session } = await windows.openChat({}, 'What is this?');
      const first = (await storedText(windows.folder, session.id)).split('\n').findIndex((line) => line.includes('What is this?'));
      await damageLine(windows.folder, session.id, first);
      const other = windows.open({ writerId: 'other' });
      await other.chats.refresh();
      const [item] = other.chats.list();
      assert.equal(item?.firstRole, 'assistant');
      assert.match(item.preview, /^I'm the \*\*practice model/);
      const { id } = await other.chats.create();
      assert.equal(other.chats.list().find((each) => each.id === id)?.firstRole, null, 'nothing was said in a new one');
    });

    it('tell which are not saved, until they are', async () => {
      const storage = new SmallDisk(Infinity);
      const { window, session } = await windows.openChat({ storage });
      const unsaved = (): boolean | undefined => window.chats.list()[0]?.unsaved;
      assert.equal(unsaved(), false);
      storage.room = 0;
      await session.titler.rename('Kept in memory');
      assert.equal(unsaved(), true);
      storage.room = Infinity;
      await session.saving.retry();
      assert.equal(unsaved(), false);
      assert.equal(window.errors.length, 1);
    });

    it('take their title from the first line of the first message, cut between characters', async () => {
      const session = await windows.open({}).chats.create();
      const window = windows.open({ writerId: 'other' });
      await session.conversation.send(`\n${'🎈'.repeat(70)}\nsecond line`);
      await window.chats.refresh();
      assert.equal(window.chats.list()[0]?.title, `${'🎈'.repeat(59)}…`);
      assert.equal(Array.from(window.chats.list()[0]?.preview ?? '').length, 82);
    });

    it('tell their listeners what changed', async () => {
      const { window, session } = await windows.openChat({});
      const heard: (string | null)[] = [];
      const end = window.chats.onChange({ changed: (chatId) => heard.push(chatId) });
      await session.titler.rename('A');
      await window.chats.refresh();
      end();
      await session.titler.rename('B');
      assert.deepEqual(heard, [session.id, null]);
    });

    it('include one that cannot be read, with the reason, after all others', async () => {
      await breakChat();
      const { window, session } = await windows.openChat({});
      await window.chats.refresh();
      assert.deepEqual(listed(window), [session.id, BROKEN]);
      const [, broken] = window.chats.list();
      assert.equal(broken?.title, 'Unreadable chat');
      assert.notEqual(broken.preview, '');
      assert.equal((await rejection(window.chats.open(BROKEN))).kind, 'storage');
    });

    it('leave out one that another window is just creating, but not one that stays empty', async () => {
      const clock = new RunningClock();
      const window = windows.open({ clock });
      const created = `sess_${String(clock.now())}_abcdef`;
      await mkdir(join(windows.folder, 'chats', created), { recursive: true });
      await window.chats.refresh();
      await writeFile(join(windows.folder, 'chats', created, 'other.jsonl'), '');
      await window.chats.otherWindows.poll([created]);
      await window.chats.refresh();
      assert.deepEqual([listed(window), window.errors], [[], []]);
      const laterClock = new RunningClock();
      laterClock.time = clock.time + 60_000;
      const later = windows.open({ writerId: 'later', clock: laterClock });
      await later.chats.refresh();
      assert.deepEqual(column(later.chats.list(), 'title'), ['Unreadable chat']);
    });

    it('do not show a chat again that was deleted while they were read', async () => {
      const { session: doomed } = await windows.openChat({});
      const window = windows.open({ writerId: 'other' });
      await window.chats.refresh();
      await doomed.titler.rename('Doomed');
      const { reading, goOn } = holdReads(window);
      const refreshed = window.chats.refresh();
      await reading;
      await window.chats.delete(doomed.id);
      goOn();
      await refreshed;
      assert.deepEqual(listed(window), []);
    });
  });

  describe('opened', () => {
    it('are one session, however often', async () => {
      const window = windows.open({});
      const { id } = await window.chats.create();
      const other = windows.open({ writerId: 'other' });
      const [a, b] = await Promise.all([other.chats.open(id), other.chats.open(id)]);
      assert.equal(a, b);
      assert.equal(await other.chats.open(id), a);
    });

    it('fail when they are not there, and are looked for again the next time', async () => {
      const window = windows.open({});
      const { id } = await window.chats.create();
      await window.chats.delete(id);
      const error = await rejection(window.chats.open(id));
      assert.deepEqual([error.kind, error.message], ['invalidInput', 'This chat was deleted.']);
      await window.chats.undelete(id);
      assert.equal((await window.chats.open(id)).id, id);
    });

    it('name the lines that are damaged, in the chat and in the log, and show the rest', async () => {
      const session = await windows.open({}).chats.create();
      await session.titler.rename('First');
      await session.titler.rename('Second');
      await session.conversation.send('/long 2');
      await damageLine(windows.folder, session.id, 1);
      const other = windows.open({ writerId: 'other' });
      const reopened = await other.chats.open(session.id);
      assert.equal(reopened.faults.length, 1);
      assert.match(reopened.faults[0]?.text ?? '', /^window\.jsonl line 2: /);
      assert.deepEqual(column(other.errors, 'kind'), ['storage']);
      assert.equal(reopened.state.title, 'Second');
      assert.deepEqual(conversation(reopened.state), ['user: /long 2', 'assistant: Practice text.']);
    });

    it('that a newer version has written to do not keep others from being used', async () => {
      const { window, session: newer } = await windows.openChat({});
      const fine = await window.chats.create();
      await writeNewerLine(windows.folder, newer.id);
      const other = windows.open({ writerId: 'other' });
      const before = await storedText(windows.folder, newer.id);
      assert.notEqual((await other.chats.open(newer.id)).readOnly, null);
      await (await other.chats.open(fine.id)).conversation.send('/long 2');
      assert.equal(await storedText(windows.folder, newer.id), before);
    });
  });

  describe('deleted', () => {
    it('are gone from list and disk, and come back whole when that is undone', async () => {
      const { window, session } = await windows.openChat({}, '/long 2');
      await window.chats.delete(session.id);
      assert.deepEqual(listed(window), []);
      assert.deepEqual(await window.store.listChatIds(), []);
      await window.chats.undelete(session.id);
      assert.deepEqual(listed(window), [session.id]);
      const back = await window.chats.open(session.id);
      assert.deepEqual(conversation(back.state), conversation(session.state));
      await back.conversation.send('/long 1');
      assert.equal(conversation(back.state).length, 4);
    });

    it('have one session still when that is undone: nothing tells of them as they were', async () => {
      const { window, session } = await windows.openChat({});
      await window.chats.delete(session.id);
      await window.chats.undelete(session.id);
      assert.equal(await window.chats.open(session.id), session);
    });

    it('take no message from the moment on when they are deleted, until that is undone', async () => {
      const { chats } = windows.open({});
      const session = await chats.create();
      const deleting = chats.delete(session.id);
      await turn();
      assert.match((await rejection(session.conversation.send('/long 2'))).message, /This chat was deleted/);
      await deleting;
      await chats.undelete(session.id);
      await session.conversation.send('/long 2');
      assert.deepEqual(runStatuses(session.state), ['committed']);
    });

    it('go on as before when the deletion could not be saved', async () => {
      const { chats, store } = windows.open({});
      const session = await chats.create();
      store.deleteChat = () => Promise.reject(failureOf('storage', 'The chat could not be deleted: the disk is full.'));
      assert.match((await rejection(chats.delete(session.id))).message, /the disk is full/);
      await session.conversation.send('/long 2');
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.deepEqual(column(chats.list(), 'id'), [session.id]);
    });

    it('go for good when the window closes', async () => {
      const { window, session } = await windows.openChat({});
      const kept = await window.chats.create();
      await window.chats.delete(session.id);
      await window.chats.close();
      const names = await readdir(join(windows.folder, 'chats'));
      assert.deepEqual(names.sort(), [kept.id, `${session.id}.deleted`].sort());
    });

    it('while a reply streams stay deleted', async () => {
      const { window, session, clock, running } = await openStreaming(windows, {}, '/long 300', 20);
      await window.chats.delete(session.id);
      await running;
      for (let step = 0; step < 20; step += 1) {
        clock.step();
        await turn();
      }
      assert.deepEqual(listed(window), []);
      await window.chats.refresh();
      assert.deepEqual(listed(window), []);
      await window.chats.close();
      const other = windows.open({ writerId: 'other' });
      await other.chats.refresh();
      assert.deepEqual(listed(other), []);
      assert.deepEqual(await readdir(join(windows.folder, 'chats')), [`${session.id}.deleted`]);
    });

    it('while a reply streams keep what had arrived, should that be undone', async () => {
      const { window, session, running } = await openStreaming(windows, {}, '/long 300', 20);
      await window.chats.delete(session.id);
      await running;
      await window.chats.undelete(session.id);
      const back = await window.chats.open(session.id);
      assert.equal(conversation(back.state).at(-1), `assistant: ${partialText(session)}`);
    });
  });

  describe('when the window closes', () => {
    it('end their runs as interrupted, with what had arrived', async () => {
      const { window, session, running } = await openStreaming(windows, {}, '/long 300', 20);
      await window.chats.close();
      await running;
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual(runStatuses(reopened.state), ['interrupted']);
      assert.equal(partialText(reopened), partialText(session));
    });
  });

  it('take up what another window has added before they were opened', async () => {
    const clock = new RunningClock();
    const { session } = await windows.openChat({ clock }, '/long 2');
    await writeAsOther(windows.folder, session.id, [{ type: 'title', title: 'From afar', by: 'user' }]);
    const reopened = await windows.open({ writerId: 'third' }).chats.open(session.id);
    assert.equal(reopened.state.title, 'From afar');
    await reopened.titler.rename('From here');
    const again = await windows.open({ writerId: 'fourth' }).chats.open(session.id);
    assert.equal(again.state.title, 'From here');
  });
});
