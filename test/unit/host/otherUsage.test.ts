import assert from 'node:assert/strict';
import { rm, writeFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OtherUsage } from '../../../src/host/usage/otherUsage.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { FIRST_QUERY, type UsageQuery } from '../../../src/protocol/usage/usage.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until, SteppedClock } from '../../support/host/clocks.js';
import { openUsage, type OpenedUsage } from '../../support/host/openUsage.js';
import { useWindows, type Window, DEAD_PID } from '../../support/host/window.js';
import type { UsageTotals } from '../../../src/engine/model/usage.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column } from '../../support/columns.js';
import { damageLine, writeNewerLine } from '../../support/host/damage.js';
import { LONG_CHAT, RESTORE_STEP, writeLongChat, EXCHANGES } from '../../support/host/longChat.js';
import { lastReply, lastUser } from '../../support/host/reading.js';
import { createApi } from '../../../src/host/api/api.js';
import { openStreaming } from '../../support/host/streaming.js';

const COMPUTER: UsageQuery = { ...FIRST_QUERY, extent: 'computer' };

describe('the usage of all chats on this computer', () => {
  const windows = useWindows();

  async function workspaceWith(writerId: string, ...texts: readonly string[]): Promise<Window> {
    await windows.newFolder();
    const window = windows.open({ writerId, models: BILLED_MODELS });
    for (const text of texts) {
      const session = await window.chats.create();
      await session.conversation.send(text);
    }
    return window;
  }

  function othersOf(here: Window, ...elsewhere: readonly Window[]): OtherUsage {
    return new OtherUsage({
      storages: () => Promise.resolve(elsewhere.map(({ folder }) => folder)),
      storeAt: here.storeAt,
      logError: (error) => here.errors.push(error),
    });
  }

  async function shownOf(here: Window, others: OtherUsage): Promise<OpenedUsage> {
    const opened = openUsage(here, new UsageRows(here.chats), others);
    await opened.view.show(null);
    opened.view.ask(COMPUTER);
    await until(() => opened.state().figures !== null, 'the chats of all workspaces are read');
    return opened;
  }

  it('adds those of other workspaces, deleted ones too, whose requests cannot be shown here', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2', '/long 3');
    const doomed = elsewhere.chats.list().find(({ title }) => title === '/long 2');
    await elsewhere.chats.delete(doomed?.id ?? '');
    const third = await workspaceWith('third', '/long 4');
    const here = await workspaceWith('here', '/long 5');
    const { view, figures, requests } = await shownOf(here, othersOf(here, elsewhere, third));
    const shown = requests().rows.map(({ chat, opens, isElsewhere }) => [chat, opens, isElsewhere] as const);
    assert.deepEqual(
      shown.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      [
        ['/long 3', false, true],
        ['/long 4', false, true],
        ['/long 5', true, false],
        [null, false, false],
      ],
    );
    assert.equal(figures().total.requests, 4);
    assert.equal((await view.exported('all')).attempts.length, 4);
    view.ask(FIRST_QUERY);
    await until(() => figures().total.requests === 1, 'only this workspace is shown');
    view.dispose();
  });

  it('counts a chat once that was imported from another workspace', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const [original] = elsewhere.chats.list();
    const here = await workspaceWith('here');
    const path = join(elsewhere.folder, 'chats', original?.id ?? '');
    await here.chats.importChat(path, { signal: new AbortController().signal, progress: () => undefined });
    const { view, figures } = await shownOf(here, othersOf(here, elsewhere));
    assert.equal(figures().total.requests, 1);
    view.dispose();
  });

  it('reads the other workspaces again with each opening, and passes over one that is gone', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const here = await workspaceWith('here');
    const { view, figures } = await shownOf(here, othersOf(here, elsewhere));
    const session = await elsewhere.chats.create();
    await session.conversation.send('/long 3');
    await view.show(null);
    await until(() => figures().total.requests === 2, 'the new chat is shown');
    await rm(elsewhere.folder, { recursive: true });
    await view.show(null);
    await until(() => figures().total.requests === 0, 'nothing is left');
    view.dispose();
  });

  it('says that a workspace could not be read, and shows the others', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const broken = await workspaceWith('broken');
    await rm(join(broken.folder, 'chats'), { recursive: true, force: true });
    await writeFile(join(broken.folder, 'chats'), 'a file in the place of the folder');
    const here = await workspaceWith('here');
    const { view, figures, state } = await shownOf(here, othersOf(here, broken, elsewhere));
    assert.equal(figures().total.requests, 1);
    assert.equal(state().problem, 'The chats of another workspace could not be read. Usage does not include their requests.');
    assert.match(here.errors.map(({ message }) => message).join(), /a file exists where a folder is expected/);
    view.dispose();
  });
});

describe('what a deleted chat has used', () => {
  const windows = useWindows();
  const markPath = (chatId: string): string => join(windows.folder, 'chats', `${chatId}.deleted`);
  const folders = async (): Promise<string[]> => (await readdir(join(windows.folder, 'chats'))).filter((name) => !name.includes('.'));
  const elsewhere = (writerId: string): Promise<UsageTotals> => windows.open({ writerId }).chats.usage.all();

  async function answered({ chats }: Window, ...texts: readonly string[]): Promise<ChatSession> {
    const session = await chats.create();
    for (const text of texts) {
      await session.conversation.send(text);
    }
    return session;
  }

  it('stays in the totals of all chats, once, whether that is undone or not, in each window and after it has closed', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    await answered(window, '/long 1');
    const doomed = await answered(window, '/long 2', '/error 500', '/long 3');
    await doomed.conversation.edit(lastUser(doomed.state).id, '/long 4');
    const before = await window.chats.usage.all();
    // Five of them for the failed message.
    assert.deepEqual([before.attempts, before.unknownAttempts, (before.cost ?? 0) > 0], [9, 0, true]);
    await window.chats.delete(doomed.id);
    assert.deepEqual(await window.chats.usage.all(), before);
    assert.deepEqual(await elsewhere('second'), before);
    await window.chats.undelete(doomed.id);
    assert.deepEqual(await window.chats.usage.all(), before);
    assert.deepEqual(await elsewhere('third'), before);
    await window.chats.delete(doomed.id);
    await window.chats.close();
    assert.equal((await folders()).length, 1);
    assert.deepEqual(await elsewhere('fourth'), before);
  });

  it('is a row for each attempt, with what it was for, and whether it was discarded', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const session = await answered(window, '/long 2', '/long 3');
    const left = lastReply(session.state).attemptId;
    await session.conversation.edit(lastUser(session.state).id, '/error 401');
    const { attempts } = session.state;
    await window.chats.delete(session.id);
    const { usage } = JSON.parse(await readFile(markPath(session.id), 'utf8')) as { usage: unknown };
    assert.deepEqual(
      usage,
      [...attempts.values()].map(({ id, startedAt: at, purpose, model, end }) => ({
        ...{ id, at, purpose, model, isDiscarded: id === left, usage: end?.usage, cost: end?.cost },
        isUnbilled: end?.error?.kind === 'auth',
      })),
    );
    assert.equal(attempts.size, 3);
  });

  it('counts once what a fork took over, whichever of the two is deleted', async () => {
    const window = windows.open({});
    const original = await answered(window, '/long 1');
    const fork = await window.chats.fork(original, lastReply(original.state).id);
    await fork.conversation.send('/long 2');
    const before = await window.chats.usage.all();
    assert.equal(before.attempts, 2);
    await window.chats.delete(original.id);
    assert.deepEqual(await window.chats.usage.all(), before);
    await window.chats.delete(fork.id);
    assert.deepEqual(await window.chats.usage.all(), before);
    await window.chats.undelete(original.id);
    assert.deepEqual(await window.chats.usage.all(), before);
  });

  it('is told whole of a long chat of which only the end is open', async () => {
    await writeLongChat(windows.folder);
    const window = windows.open({ restoreStep: RESTORE_STEP });
    await (await window.chats.open(LONG_CHAT)).whole();
    await window.store.updateDerived(LONG_CHAT, 1);
    const second = windows.open({ writerId: 'second', restoreStep: RESTORE_STEP });
    const { state } = await second.chats.open(LONG_CHAT);
    assert.equal(state.extent, 'end');
    const before = await second.chats.usage.all();
    assert.equal(before.attempts, EXCHANGES);
    await second.chats.delete(LONG_CHAT);
    assert.deepEqual(await second.chats.usage.all(), before);
    await second.chats.close();
    assert.deepEqual(await elsewhere('third'), before);
  });

  it('is kept when the window is killed before it removes the chat', async () => {
    const window = windows.open({ pid: DEAD_PID });
    const doomed = await answered(window, '/long 1');
    const before = await window.chats.usage.all();
    await window.chats.delete(doomed.id);
    assert.deepEqual(await elsewhere('second'), before);
    const third = windows.open({ writerId: 'third' });
    await third.chats.close();
    assert.deepEqual(await folders(), []);
    assert.deepEqual(await elsewhere('fourth'), before);
  });

  it('is read from the chat itself, which then stays, where the mark is damaged', async () => {
    const window = windows.open({});
    const doomed = await answered(window, '/long 1');
    const before = await window.chats.usage.all();
    await window.chats.delete(doomed.id);
    const mark = await readFile(markPath(doomed.id), 'utf8');
    for (const damaged of ['', mark.slice(0, 20), mark.replace('"usage"', '"usagf"'), '{}']) {
      await writeFile(markPath(doomed.id), damaged);
      const other = windows.open({ writerId: `other-${String(damaged.length)}` });
      assert.deepEqual([await other.chats.usage.all(), other.chats.list()], [before, []]);
    }
    await window.chats.close();
    assert.deepEqual(await folders(), [doomed.id]);
    await rm(join(windows.folder, 'chats', doomed.id), { recursive: true });
    const last = windows.open({ writerId: 'last' });
    assert.equal((await last.chats.usage.all()).attempts, 0);
    assert.match(last.errors[0]?.message ?? '', new RegExp(`^Chat ${doomed.id}: `));
  });

  it('is kept of a chat that a newer version has written to, as far as it can be read', async () => {
    const doomed = await answered(windows.open({}), '/long 1');
    await writeNewerLine(windows.folder, doomed.id);
    const window = windows.open({ writerId: 'second' });
    assert.notEqual((await window.chats.open(doomed.id)).readOnly, null);
    const before = await window.chats.usage.all();
    await window.chats.delete(doomed.id);
    await window.chats.close();
    assert.deepEqual(await elsewhere('third'), before);
    assert.equal(before.attempts, 1);
  });

  it('is unknown of a chat that cannot be read, which is deleted all the same, and the log says why', async () => {
    const doomed = await answered(windows.open({}), '/long 1');
    await damageLine(windows.folder, doomed.id, 0);
    const window = windows.open({ writerId: 'second' });
    await window.chats.delete(doomed.id);
    assert.deepEqual(column(window.errors, 'code'), ['storage.noBeginning']);
    assert.equal((await window.chats.usage.all()).attempts, 0);
    await window.chats.close();
    assert.deepEqual(await folders(), []);
  });

  it('has the request that another window is still at, as unknown', async () => {
    const { window: first, session, running: sending } = await openStreaming(windows, { models: BILLED_MODELS }, '/long 60', 20);
    const second = windows.open({ writerId: 'second', pid: process.ppid, models: BILLED_MODELS });
    await second.chats.delete(session.id);
    await first.chats.otherWindows.poll([session.id]);
    await sending;
    for (const { chats } of [first, second]) {
      const { attempts, unknownAttempts, cost } = await chats.usage.all();
      assert.deepEqual([attempts, unknownAttempts, cost], [1, 1, null]);
    }
  });

  it('is not lost when another window deletes the chat again, which it still shows', async () => {
    const first = windows.open({});
    const second = windows.open({ writerId: 'second' });
    const doomed = await answered(first, '/long 1');
    const before = await second.chats.usage.all();
    await first.chats.delete(doomed.id);
    await first.chats.close();
    await second.chats.delete(doomed.id);
    assert.deepEqual(await second.chats.usage.all(), before);
    assert.equal(before.attempts, 1);
  });
});

describe('the usage of a chat whose window was killed in a reply', () => {
  const windows = useWindows();

  async function told({ chats, models, errors }: Window, chatId: string): Promise<readonly [one: number, all: number]> {
    const none = (): never => assert.fail('No chat is on show.');
    const drafts = { load: none, get: none };
    const api = createApi({ chats, models, drafts, current: none, logError: (error) => errors.push(error) });
    return [(await api.getUsage(chatId)).attempts, (await api.getUsage()).attempts];
  }

  async function killed(chatId: string, restoreStep: number): Promise<void> {
    const window = windows.open({ writerId: 'killed', pid: DEAD_PID, restoreStep, clock: new SteppedClock() });
    const session = await window.chats.open(chatId);
    void session.conversation.send('/slow');
    await until(() => [...session.state.attempts.values()].some(({ end }) => end === null), 'a reply is on its way');
  }

  for (const reads of ['end', 'whole'] as const) {
    it(`is the same in the chat and in the sum over all where a window has the ${reads} of the chat open`, async () => {
      await writeLongChat(windows.folder);
      const first = windows.open({ restoreStep: RESTORE_STEP });
      await (await first.chats.open(LONG_CHAT)).whole();
      await first.store.updateDerived(LONG_CHAT, 1);
      const window = windows.open({ writerId: 'second', restoreStep: RESTORE_STEP });
      const session = await window.chats.open(LONG_CHAT);
      assert.equal(session.state.extent, 'end');
      if (reads === 'whole') {
        await session.whole();
      }
      await killed(LONG_CHAT, RESTORE_STEP);
      assert.deepEqual(await told(window, LONG_CHAT), [EXCHANGES + 1, EXCHANGES + 1]);
    });
  }

  it('is the same where nothing may be written to the chat, before it is opened and after', async () => {
    const { id } = await windows.open({}).chats.create();
    await killed(id, RESTORE_STEP);
    await writeNewerLine(windows.folder, id);
    const window = windows.open({ writerId: 'second' });
    assert.equal((await window.chats.usage.all()).attempts, 1);
    assert.deepEqual(await told(window, id), [1, 1]);
    const session = await window.chats.open(id);
    assert.notEqual(session.readOnly, null);
    assert.equal(session.conversation.isRunning, false);
    await session.poll();
    assert.deepEqual(column([...session.state.runs.values()], 'status'), ['interrupted']);
  });
});
