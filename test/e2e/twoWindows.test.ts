import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { endedRun, runOf, type ChatEvent } from '../../src/engine/chat/event.js';
import { messageText } from '../../src/engine/chat/message/message.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import type { ApiChat } from '../../src/protocol/api/api.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import { depth } from '../support/depth.mjs';
import { readChat, type ChatOnDisk } from '../support/storage/readChat.js';
import { ChatPanel, latestChat, openLoupe, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { storageFolder } from '../support/workbench/storageFaults.js';
import { Host, WritingWindow, type Reported } from '../support/workbench/writingWindow.js';
import { storeOptions } from '../unit/storage/fixtures.js';

/** Kills of an extension host: both windows once, or at each moment of a reply. */
const KILLS = depth({ short: 2, deep: 100 });
/** Longer than a reply and its follow-up work, so that kills hit each moment. */
const LONGEST_DELAY_MS = 1_500;
/** The fractional part of the golden ratio. Its multiples modulo 1 are spread evenly for any number of them. */
const EVENLY = 0.618_033_988_75;
/** Takes 20 seconds: enough for a message in the other window, even on a busy computer. */
const REPLY = '/slow';

describe('two windows on one workspace', () => {
  let workbench: Workbench;
  let first: ChatPanel;
  let second: ChatPanel;
  let secondPage: Page;
  let hosts: readonly [Host, Host];
  let chatId: string;

  before(async () => {
    ({ workbench, panel: first } = await sharedWorkbench());
    const host = await Host.of(workbench, workbench.page, []);
    await first.sendAndWait('/long 2');
    chatId = (await latestChat(workbench)).id;
    secondPage = await workbench.secondPage();
    hosts = [host, await Host.of(workbench, secondPage, [host.pid])];
    second = new ChatPanel(await openLoupe(secondPage));
    await second.articles('You').filter({ hasText: '/long 2' }).waitFor();
  });

  it('both write to one chat, and each sees the turns of the other as they come in', async () => {
    await first.send(REPLY);
    await second.articles('You').filter({ hasText: REPLY }).waitFor();
    const text = (): Promise<string> => lastReply(second);
    const early = await waitFor('text in the other window', async () => nonEmpty(await text()));
    await waitFor('more text in the other window', async () => ((await text()).length > early.length ? true : undefined));
    // It still streams.
    await first.button('Stop').click();
    await first.idle();
    await waitFor('the whole reply in both windows', async () => ((await text()) === (await lastReply(first)) ? true : undefined));

    await second.sendAndWait('/long 3');
    await first.articles('You').filter({ hasText: '/long 3' }).waitFor();
    await waitFor('the whole reply in both windows', async () =>
      (await lastReply(second)) === (await lastReply(first)) ? true : undefined,
    );
    assert.deepEqual(await said(first), await said(second));
  });

  it('answer in a chat one after the other: what is sent meanwhile waits, and is sent next', async () => {
    await first.send(REPLY);
    await second.frame.getByText('The model is writing a reply in another window.').waitFor();
    await second.send('Me too');
    for (const window of [first, second]) {
      await window.articles('You').filter({ hasText: 'Me too' }).getByText('Waiting to be sent').waitFor();
    }
    await waitFor('an empty message box', async () => ((await second.composer.inputValue()) === '' ? true : undefined));
    await first.idle();
    await second.articles('You').filter({ hasText: 'Me too' }).getByText('Waiting to be sent').waitFor({ state: 'detached' });
    await waitFor('the same replies in both windows', async () =>
      (await second.button('Stop').count()) === 0 && (await lastReply(second)) === (await lastReply(first)) ? true : undefined,
    );
    assert.deepEqual((await said(second)).slice(-2), (await said(first)).slice(-2));
  });

  it('take back what waits into the message box', async () => {
    await first.send(REPLY);
    await second.frame.getByText('The model is writing a reply in another window.').waitFor();
    await second.send('Not now');
    const waiting = second.articles('You').filter({ hasText: 'Not now' });
    // The row moves while the reply above grows, so a click can miss the button. A key does not.
    await waiting.getByRole('button', { name: 'Take back' }).press('Enter');
    await waiting.waitFor({ state: 'detached' });
    await waitFor('its text in the message box', async () => ((await second.composer.inputValue()) === 'Not now' ? true : undefined));
    await second.composer.fill('');
    await first.button('Stop').click();
    await first.idle();
  });

  it('answer in two chats at once, and neither shows in the other', async () => {
    await second.button('New chat').click();
    await second.articles('You').first().waitFor({ state: 'detached' });
    const before = await first.articles('You').count();
    await Promise.all([first.sendAndWait('/long 30'), second.sendAndWait('/long 20')]);
    assert.equal(await second.articles('You').count(), 1);
    assert.equal(await first.articles('You').count(), before + 1);
  });

  it('go to another chat when theirs is deleted in the other window, and say so', async () => {
    await second.sendAndWait('/long 4');
    await hosts[1].run('loupe.deleteChat', chatId);
    const notice = first.frame.getByRole('note').filter({ hasText: 'The chat "/long 2" was deleted in another window.' });
    await notice.waitFor();
    await first.articles('You').filter({ hasText: '/long 20' }).waitFor();
    assert.equal(await first.articles('You').count(), 2);
    await second.button('Undo').click();
    await notice.waitFor({ state: 'detached' });
    assert.equal(await second.articles('You').filter({ hasText: 'Me too' }).count(), 0, 'this window showed another chat');
  });

  it('show a reply as interrupted when the window that got it is killed', async () => {
    await second.button('New chat').click();
    await second.articles('You').first().waitFor({ state: 'detached' });
    // No other chat of this workbench has these words.
    await second.sendAndWait('In both windows');
    await first.button('Switch chat').click();
    await first.region('Chat list').getByRole('button').filter({ hasText: 'In both windows' }).first().click();
    await first.articles('You').filter({ hasText: 'In both windows' }).waitFor();
    await first.send('/slow');
    await second.articles('You').filter({ hasText: '/slow' }).waitFor();
    await waitFor('text in the other window', async () => nonEmpty(await lastReply(second)));
    process.kill(hosts[0].pid, 'SIGKILL');
    await second.frame
      .getByText(/^Interrupted/)
      .first()
      .waitFor();
    await second.sendAndWait('/long 2');
    assert.equal(await second.articles('You').count(), 3);
    hosts = [await Host.of(workbench, workbench.page, [hosts[0].pid, hosts[1].pid]), hosts[1]];
  });

  it('have one storage, though VS Code numbers that of the second', () => {
    const storage = dirname(storageFolder(workbench));
    assert.ok(existsSync(`${storage}-1`), basename(storage));
  });

  describe('whose extension hosts are killed while both write to one chat', () => {
    let windows: readonly [WritingWindow, WritingWindow];

    before(async () => {
      windows = [new WritingWindow('first', workbench.page, hosts[0]), new WritingWindow('second', secondPage, hosts[1])];
      chatId = (await hosts[0].run('loupe.newChat')) as string;
    });

    /** Kills a window's extension host after a delay. Returns whether a run was active. */
    async function kill(window: WritingWindow, number: number): Promise<boolean> {
      await new Promise((resolve) => setTimeout(resolve, ((number * EVENLY) % 1) * LONGEST_DELAY_MS));
      process.kill(window.host.pid, 'SIGKILL');
      await window.ended();
      const { openRuns } = await onDisk(workbench, chatId);
      return openRuns.some(({ state }) => state === 'dead');
    }

    const reportedNow = (): Reported[] => windows.map(({ answered, titles }) => ({ answered: [...answered], titles: [...titles] }));

    it(`lose nothing that was saved, and go on, in ${String(KILLS)} kills`, async () => {
      windows.forEach((window) => {
        window.start(chatId);
      });
      let inRun = 0;
      for (let number = 0; number < KILLS; number += 1) {
        const window = windows[number % 2] ?? windows[0];
        const other = windows[(number + 1) % 2] ?? windows[1];
        const before = window.titles.length;
        await waitFor('something that both windows wrote', () => (window.titles.length > before ? true : undefined));
        inRun += (await kill(window, number)) ? 1 : 0;
        const reported = reportedNow();
        assertKept(await onDisk(workbench, chatId), reported);
        // The other window notices and continues.
        await waitFor('the end of the interrupted run', async () =>
          (await onDisk(workbench, chatId)).openRuns.every(({ state }) => state === 'alive') ? true : undefined,
        );
        const written = other.titles.length;
        await waitFor('the other window to go on', () => (other.titles.length > written ? true : undefined));
        window.host = await Host.of(workbench, window.page, [window.host.pid, other.host.pid]);
        window.start(chatId);
      }
      await settle();
      const total = windows.reduce((sum, { answered, titles }) => sum + answered.length + titles.length, 0);
      process.stdout.write(`      ${KILLS} kills, ${inRun} of them in the middle of a run; ${total} writes were reported as done\n`);
    }).timeout(60_000 + KILLS * 20_000);

    /** Waits until both windows show the same, and each run has one end. */
    async function settle(): Promise<void> {
      await Promise.all(windows.map((window) => window.stop()));
      const shown = await waitFor('both windows to show the same', async () => {
        const [one, two] = await Promise.all(windows.map(({ host }) => host.ask({ api: 'getChat', args: [chatId] }) as Promise<ApiChat>));
        return isDeepStrictEqual(one, two) ? one : undefined;
      });
      const content = await onDisk(workbench, chatId);
      assertKept(content, reportedNow());
      const texts = shown.messages.map(({ text }) => text);
      for (const { answered } of windows) assertAllIn(answered, texts);
      assertOneAtATime(content);
      const ends = content.events.map(endedRun).filter((runId) => runId !== null);
      assert.equal(new Set(ends).size, ends.length, 'each run has one end');
    }
  });
});

function nonEmpty<T extends { readonly length: number }>(value: T): T | undefined {
  return value.length > 0 ? value : undefined;
}

async function lastReply(panel: ChatPanel): Promise<string> {
  return (await panel.articles('Assistant').last().getByRole('paragraph').allInnerTexts()).join('\n');
}

function said(panel: ChatPanel): Promise<string[]> {
  return panel.articles('You').allTextContents();
}

function onDisk(workbench: Workbench, chatId: string): Promise<ChatOnDisk> {
  const self = { writerId: 'reader', pid: process.pid, host: hostname() };
  return readChat(new ChatStore({ ...storeOptions(storageFolder(workbench), self), clock: systemClock }), chatId);
}

function assertAllIn(wanted: readonly string[], found: readonly string[]): void {
  const missing = wanted.filter((each) => !found.includes(each));
  assert.deepEqual(missing, []);
}

/** Checks that everything reported is there, each run in one piece, and that only torn lines are damaged. */
function assertKept({ events, faults }: ChatOnDisk, reported: readonly Reported[]): void {
  const committed = new Set(events.flatMap((event) => (event.type === 'run-committed' ? [event.runId] : [])));
  const answered = events.flatMap((event) =>
    isUserMessage(event) && committed.has(event.runId ?? '') ? [messageText(event.message)] : [],
  );
  const titles = events.flatMap((event) => (event.type === 'title' ? [event.title] : []));
  for (const each of reported) {
    assertAllIn(each.answered, answered);
    assertAllIn(each.titles, titles);
  }
  const runs = events.map(runOf);
  for (const runId of new Set(runs.filter((each) => each !== null))) {
    const length = runs.lastIndexOf(runId) - runs.indexOf(runId) + 1;
    assert.equal(length, runs.filter((each) => each === runId).length, `run ${runId} is torn apart`);
  }
  const others = faults.filter(({ kind }) => kind !== 'torn');
  assert.deepEqual(others, []);
}

/** Checks that runs do not overlap. Only its own window knew when an interrupted run ended. */
function assertOneAtATime({ events }: ChatOnDisk): void {
  const starts = events.filter(({ type }) => type === 'run-started');
  for (const end of events.filter(({ type }) => type === 'run-committed')) {
    const start = starts.find((each) => runOf(each) === runOf(end));
    const between = starts.filter((each) => start !== undefined && each.at > start.at && each.at < end.at);
    assert.deepEqual(between, [], `while run ${String(runOf(end))} went on`);
  }
}

function isUserMessage(event: ChatEvent): event is Extract<ChatEvent, { type: 'message' }> {
  return event.type === 'message' && event.message.role === 'user';
}
