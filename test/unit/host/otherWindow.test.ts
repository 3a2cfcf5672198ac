import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionChange } from '../../../src/host/chat/sessionLog.js';
import { nodeFiles } from '../../../src/storage/files/files.js';
import { column } from '../../support/columns.js';
import { RunningClock, SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { writeAsEarlier, writeNewerLine } from '../../support/host/damage.js';
import { conversation, partialText, runStatuses, wholeState } from '../../support/host/reading.js';
import { countReads, holdReads } from '../../support/host/storeReads.js';
import { DEAD_PID, useWindows, type Window } from '../../support/host/window.js';
import { Gate } from '../../support/http/gate.js';
import { rejection } from '../../support/rejection.js';
import { failureOf } from '../../support/failures.js';
import { RESTORE_STEP } from '../../support/host/longChat.js';
import { openStreaming } from '../../support/host/streaming.js';

describe('the chats of a window, with another window beside it', () => {
  const windows = useWindows();
  const listed = ({ chats }: Window): string[] => chats.list().map(({ id }) => id);

  describe('answered in another window', () => {
    /** A chat that one window answers in, as another one `seen` it. */
    async function answeredElsewhere() {
      const { window, session, clock, finish } = await openStreaming(windows, { writerId: 'first', pid: process.ppid }, '/long 60', 20);
      const otherClock = new SteppedClock();
      otherClock.time = clock.time;
      const other = windows.open({ clock: otherClock, writerId: 'second' });
      const seen = await other.chats.open(session.id);
      const look = (): Promise<void> => other.chats.otherWindows.poll([session.id]);
      return { window, session, seen, other, clock, otherClock, finish, look };
    }

    it('show its text as it comes in, piece by piece', async () => {
      const { session, seen, clock, look, finish } = await answeredElsewhere();
      const heard: SessionChange[] = [];
      seen.onChange((change) => heard.push(change));
      const before = partialText(seen);
      await stepUntil(clock, () => partialText(session).length > before.length + 200, 'more text streams');
      await look();
      assert.ok(partialText(seen).length > before.length, 'more text shows');
      assert.ok(partialText(session).startsWith(partialText(seen)));
      assert.deepEqual(heard, ['progress']);
      await finish();
    });

    it('refuse to be changed here, until the other has ended, and show the outcome', async () => {
      const { session, seen, finish, look } = await answeredElsewhere();
      assert.deepEqual(runStatuses(seen.state), ['running']);
      assert.throws(
        () => {
          seen.conversation.checkIdle();
        },
        { message: 'The model is writing a reply in another window. Wait for the end of the reply.' },
      );
      await finish();
      await look();
      assert.deepEqual(wholeState(seen.state), wholeState(session.state));
      seen.conversation.checkIdle();
    });

    it('come after everything that was written there, also when the clock here is late', async () => {
      const { window, session, seen, otherClock, finish, look } = await answeredElsewhere();
      await finish();
      await look();
      otherClock.time = 1_000;
      await seen.titler.rename('Named later, by a clock that is slow');
      await window.chats.otherWindows.poll([session.id]);
      assert.equal(session.state.title, 'Named later, by a clock that is slow');
      await session.titler.rename('Named last');
      await look();
      assert.equal(seen.state.title, 'Named last');
      assert.deepEqual(wholeState(seen.state), wholeState(session.state));
    });

    it('show the outcome also when the log could not be read once, which is logged once', async () => {
      const { session, seen, other, finish, look } = await answeredElsewhere();
      const read = other.store.readGrowth.bind(other.store);
      other.store.readGrowth = () => Promise.reject(failureOf('storage', 'The disk is busy.'));
      await finish();
      await look();
      await look();
      assert.deepEqual(runStatuses(seen.state), ['running']);
      other.store.readGrowth = read;
      await look();
      assert.deepEqual(wholeState(seen.state), wholeState(session.state));
      assert.deepEqual(column(other.errors, 'message'), ['The disk is busy.']);
    });

    it('are read-only when that was a newer version', async () => {
      const { session, seen, other, finish, look } = await answeredElsewhere();
      await finish();
      await writeNewerLine(windows.folder, session.id);
      await look();
      assert.match((await rejection(seen.conversation.send('Me too'))).message, /^This chat needs a newer version of Loupe\./);
      assert.equal(seen.faults.length, 1);
      assert.deepEqual(other.model.bodies, []);
    });

    it('are read whole, and keep what was changed here meanwhile, when its lines belong before those of this window', async () => {
      const { session, seen, other, finish, look } = await answeredElsewhere();
      await seen.titler.rename('Named during the run');
      await finish();
      await seen.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: { inline: 'a' } });
      const { reading, goOn } = holdReads(other);
      await writeAsEarlier(windows.folder, session.id, [{ type: 'title', title: 'Written long ago', by: 'user' }]);
      const looked = look();
      await reading;
      await seen.titler.rename('Named meanwhile');
      goOn();
      await looked;
      assert.equal(seen.state.title, 'Named meanwhile');
      assert.deepEqual(runStatuses(seen.state), ['committed']);
      const reopened = await windows.open({ writerId: 'third' }).chats.open(session.id);
      assert.deepEqual(wholeState(seen.state), wholeState(reopened.state));
    });

    it('are read whole once, while they are answered here, and lose nothing of the reply', async () => {
      const clock = new SteppedClock();
      const { window, session } = await windows.openChat({ clock, writerId: 'first' });
      await session.titler.rename('Named');
      const running = session.conversation.send('/long 300');
      await stepUntil(clock, () => partialText(session).length > 20, 'text streams');
      const readings = countReads(window);
      const { reading, goOn } = holdReads(window);
      await writeAsEarlier(windows.folder, session.id, [{ type: 'title', title: 'Written long ago', by: 'user' }]);
      const looked = window.chats.otherWindows.poll([session.id]);
      await reading;
      const before = partialText(session);
      await stepUntil(clock, () => partialText(session).length > before.length + 200, 'more text streams');
      goOn();
      await looked;
      assert.equal(readings(), 1);
      assert.ok(partialText(session).length > before.length, 'what came in meanwhile is on show');
      await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
      await running;
      const reopened = await windows.open({ writerId: 'third' }).chats.open(session.id);
      assert.deepEqual(wholeState(session.state), wholeState(reopened.state));
    });

    it('keep what was added here while they were read from a restore point behind it', async () => {
      let held = Promise.resolve();
      const storage = { ...nodeFiles, open: (path: string) => held.then(() => nodeFiles.open(path)) };
      const window = windows.open({ writerId: 'first', storage, restoreStep: RESTORE_STEP });
      const { window: other, session: answered } = await windows.openChat({ writerId: 'second', restoreStep: RESTORE_STEP });
      const session = await window.chats.open(answered.id);
      for (let turns = 0; turns < 20; turns += 1) {
        await answered.conversation.send('/long 1');
      }
      await other.store.updateDerived(answered.id, 4);
      let goOn = (): void => undefined;
      held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const readings = countReads(window);
      const open = window.store.openWhole.bind(window.store);
      let adding = Promise.resolve();
      window.store.openWhole = (...args) => {
        window.store.openWhole = open;
        const opening = open(...args);
        adding = session.context.add({ type: 'file', name: 'mine.ts', includeMode: 'manual', addedHash: null, given: { inline: 'a' } });
        return opening;
      };
      const readGrowth = window.store.readGrowth.bind(window.store);
      window.store.readGrowth = () => {
        window.store.readGrowth = readGrowth;
        return Promise.resolve(null);
      };
      await window.chats.otherWindows.poll([answered.id]);
      assert.ok(readings() > 0, 'the log was read anew');
      goOn();
      await adding;
      await window.chats.otherWindows.poll([answered.id]);
      assert.deepEqual([...session.state.context.keys()], ['file:mine.ts']);
      await other.chats.otherWindows.poll([answered.id]);
      assert.deepEqual([...answered.state.context.keys()], ['file:mine.ts']);
    });

    it('are interrupted as soon as that window is found dead, and can be gone on with', async () => {
      const clock = new SteppedClock();
      const { session } = await windows.openChat({ clock, writerId: 'first', pid: DEAD_PID });
      const other = windows.open({ clock: new RunningClock(), writerId: 'second' });
      const seen = await other.chats.open(session.id);
      void session.conversation.send('/long 60');
      await stepUntil(clock, () => partialText(session).length > 200, 'text streams');
      await other.chats.otherWindows.poll([session.id]);
      assert.deepEqual(runStatuses(seen.state), ['interrupted']);
      assert.ok(partialText(seen).length > 0);
      await seen.conversation.send('/long 2');
      assert.deepEqual(runStatuses(seen.state), ['interrupted', 'committed']);
    });

    it('are interrupted when its process is there but gives no sign of life for a minute, and not before', async () => {
      const { seen, other, otherClock, look } = await answeredElsewhere();
      // The run began a moment before.
      otherClock.time += 59_000;
      await other.chats.otherWindows.pollRuns();
      assert.deepEqual(runStatuses(seen.state), ['running']);
      otherClock.time += 1_000;
      await other.chats.otherWindows.pollRuns();
      assert.deepEqual(runStatuses(seen.state), ['interrupted']);
      await look();
    });

    it('are not interrupted when that window has ended them just before it was found dead', async () => {
      const { seen, other, finish, look } = await answeredElsewhere();
      const writerState = other.store.writerState.bind(other.store);
      other.store.writerState = async () => {
        other.store.writerState = writerState;
        await finish();
        return 'dead';
      };
      await look();
      assert.deepEqual(runStatuses(seen.state), ['committed']);
    });

    it('are listed as running, until that has ended or its window is dead', async () => {
      const { session, other, clock, otherClock, finish } = await answeredElsewhere();
      const third = windows.open({ clock: otherClock, writerId: 'third' });
      const isRunning = (): boolean | undefined => third.chats.list().find(({ id }) => id === session.id)?.running;
      await third.chats.otherWindows.poll([session.id]);
      assert.equal(isRunning(), true);
      otherClock.time = clock.time + 60_000;
      await third.chats.otherWindows.pollAll();
      assert.equal(isRunning(), false);
      await finish();
      await third.chats.otherWindows.pollAll();
      assert.equal(isRunning(), false);
      assert.deepEqual([...third.errors, ...other.errors], []);
    });
  });

  describe('of which another window', () => {
    async function twoWindows() {
      const { window, session } = await windows.openChat({ writerId: 'first', pid: process.ppid }, '/long 2');
      const other = windows.open({ writerId: 'second' });
      await other.chats.refresh();
      const told: string[] = [];
      other.chats.otherWindows.onChange({
        deleted: ({ title }) => told.push(`deleted ${title}`),
        restored: (chatId) => told.push(`broughtBack ${chatId === session.id ? 'it' : chatId}`),
      });
      return { window, session, other, told };
    }

    it('makes one, list it with its title and follow its name', async () => {
      const { window, other } = await twoWindows();
      const made = await window.chats.create();
      await made.titler.rename('Made elsewhere');
      await other.chats.otherWindows.poll([made.id]);
      assert.deepEqual(column(other.chats.list(), 'title'), ['Made elsewhere', '/long 2']);
      await made.titler.rename('And renamed');
      await other.chats.otherWindows.poll([made.id]);
      assert.deepEqual(other.chats.list(), window.chats.list());
    });

    it('are not read again while nothing was written to them', async () => {
      const { other } = await twoWindows();
      let reads = 0;
      const row = other.store.row.bind(other.store);
      other.store.row = (chatId) => {
        reads += 1;
        return row(chatId);
      };
      await other.chats.otherWindows.pollAll();
      await other.chats.refresh();
      assert.equal(reads, 0);
    });

    it('deletes one that is not open here: it is listed no more', async () => {
      const { window, session, other, told } = await twoWindows();
      await window.chats.delete(session.id);
      await other.chats.otherWindows.poll([session.id]);
      assert.deepEqual(listed(other), []);
      assert.deepEqual(told, ['deleted /long 2']);
      await window.chats.undelete(session.id);
      await other.chats.otherWindows.poll([session.id]);
      assert.deepEqual(other.chats.list(), window.chats.list());
    });

    it('creates one slowly: it is listed as soon as it is there', async () => {
      const { opened: held, open: goOn } = new Gate();
      const storage = { ...nodeFiles, open: (path: string) => held.then(() => nodeFiles.open(path)) };
      const window = windows.open({ writerId: 'slow', storage });
      const other = windows.open({ writerId: 'quick' });
      const creating = window.chats.create();
      await until(
        () => existsSync(join(windows.folder, 'chats')) && readdirSync(join(windows.folder, 'chats')).length > 0,
        'its folder is there',
      );
      await other.chats.otherWindows.poll(readdirSync(join(windows.folder, 'chats')));
      assert.deepEqual(listed(other), []);
      goOn();
      const { id } = await creating;
      await other.chats.otherWindows.pollRuns();
      assert.deepEqual(listed(other), [id]);
    });

    it('deletes an open one: it takes nothing more, until it is brought back with what was said meanwhile', async () => {
      const { window, session, other, told } = await twoWindows();
      const seen = await other.chats.open(session.id);
      await window.chats.delete(session.id);
      await other.chats.otherWindows.pollAll();
      assert.deepEqual([listed(other), told], [[], ['deleted /long 2']]);
      assert.equal((await rejection(seen.conversation.send('More'))).message, 'This chat was deleted.');
      assert.equal((await rejection(other.chats.open(session.id))).message, 'This chat was deleted.');
      await window.chats.undelete(session.id);
      await session.conversation.send('/long 1');
      await other.chats.otherWindows.pollAll();
      assert.deepEqual(told, ['deleted /long 2', 'broughtBack it']);
      assert.equal(await other.chats.open(session.id), seen);
      assert.deepEqual(wholeState(seen.state), wholeState(session.state));
      await seen.conversation.send('/long 3');
      assert.deepEqual(listed(other), [session.id]);
    });

    it('deletes one while it is being opened: that fails, and it opens when it is brought back', async () => {
      const { window, session, other, told } = await twoWindows();
      const { reading, goOn } = holdReads(other);
      const openings = [other.chats.open(session.id), other.chats.open(session.id)].map(rejection);
      await reading;
      await window.chats.delete(session.id);
      const looked = other.chats.otherWindows.poll([session.id]);
      await until(() => told.length > 0, 'the deletion is noticed');
      goOn();
      const refused = 'This chat was deleted while Loupe read it.';
      assert.deepEqual(column(await Promise.all(openings), 'message'), [refused, refused]);
      await looked;
      assert.deepEqual(listed(other), []);
      await window.chats.undelete(session.id);
      await other.chats.otherWindows.poll([session.id]);
      const seen = await other.chats.open(session.id);
      assert.deepEqual(wholeState(seen.state), wholeState(session.state));
      seen.conversation.checkIdle();
    });

    it('deletes one that is being answered here: the reply ends, and what had arrived is there when it comes back', async () => {
      const clock = new SteppedClock();
      const { window, session } = await twoWindows();
      const other = windows.open({ clock, writerId: 'third' });
      const seen = await other.chats.open(session.id);
      const running = seen.conversation.send('/long 300');
      await stepUntil(clock, () => partialText(seen).length > 20, 'text streams');
      await window.chats.delete(session.id);
      await other.chats.otherWindows.poll([session.id]);
      await running;
      assert.equal(seen.conversation.isRunning, false);
      await window.chats.undelete(session.id);
      await other.chats.otherWindows.poll([session.id]);
      await window.chats.otherWindows.poll([session.id]);
      assert.equal(conversation(session.state).at(-1), `assistant: ${partialText(seen)}`);
      assert.deepEqual(runStatuses(session.state), ['committed', 'stopped']);
    });

    it('deletes one: this window does not take its own deletion for that of another', async () => {
      const { other, session, told } = await twoWindows();
      await other.chats.open(session.id);
      const deleting = other.chats.delete(session.id);
      for (let count = 0; count < 50; count += 1) {
        await other.chats.otherWindows.poll([session.id]);
      }
      await deleting;
      const undeleting = other.chats.undelete(session.id);
      for (let count = 0; count < 50; count += 1) {
        await other.chats.otherWindows.poll([session.id]);
      }
      await undeleting;
      assert.deepEqual(told, []);
      assert.deepEqual(listed(other), [session.id]);
    });
  });
});
