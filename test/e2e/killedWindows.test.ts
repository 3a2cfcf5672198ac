import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { endedRun, runOf, type ChatEvent } from '../../src/engine/chat/event.js';
import { messageText } from '../../src/engine/chat/message.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import type { ApiChat } from '../../src/protocol/api.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import { chatsFolder } from '../../src/storage/layout.js';
import { driverFolder } from '../support/workbench/driver.js';
import { extensionHosts, startWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { storeOptions } from '../unit/storage/fixtures.js';
import { readChat, type ChatOnDisk } from '../support/storage/readChat.js';

/** How often an extension host is killed: `LOUPE_WINDOW_KILLS=100` for a long test. */
const KILLS = Number(process.env['LOUPE_WINDOW_KILLS'] ?? '5');
/** Takes longer than the pauses between the progress that is written, so that a kill also meets half a reply. */
const REPLY_WORDS = 60;
/** Longer than a reply and what comes after it, so that a kill meets each moment of them. */
const LONGEST_DELAY_MS = 1_500;
/** The fractional part of the golden ratio: its multiples, taken modulo 1, lie evenly however many they are. */
const EVENLY = 0.618_033_988_75;
/** VS Code restarts a window's extension host by itself twice in five minutes; after that the window is opened anew. */
const RESTARTS_OF_A_PAGE = 2;

/** An extension host, by its own driver. */
class Host {
  readonly pid: number;
  readonly #url: string;

  constructor(pid: number, port: number) {
    this.pid = pid;
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** Rejects with a `TypeError` when the host is dead, and with an `Error` of what the command threw. */
  async ask(request: object): Promise<unknown> {
    const response = await fetch(this.#url, { method: 'POST', body: JSON.stringify(request) });
    const answer = (await response.json()) as { result?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }

  run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.ask({ command, args });
  }
}

/** A window that writes to the chat for as long as its extension host lives. */
class WritingWindow {
  readonly name: string;
  readonly page: Page;
  host: Host;
  /** Messages whose run had ended, and titles, that were reported as done. */
  readonly answered: string[] = [];
  readonly titles: string[] = [];
  kills = 0;
  #count = 0;
  #isStopped = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(name: string, page: Page, host: Host) {
    this.name = name;
    this.page = page;
    this.host = host;
  }

  start(chatId: string): void {
    this.#writing = this.#write(this.host, chatId);
  }

  /** Resolves when its host is dead, or it was stopped; rejects when it failed in another way. */
  async ended(): Promise<void> {
    await this.#writing;
  }

  /** Finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  async #write(host: Host, chatId: string): Promise<void> {
    try {
      while (!this.#isStopped) {
        this.#count += 1;
        const text = `/long ${REPLY_WORDS}\n${this.name}-${this.#count}`;
        // While the other window answers, the message waits for that.
        await host.run('loupe.sendMessage', text, { chatId });
        this.answered.push(text);
        const title = `${this.name} ${this.#count}`;
        await host.run('loupe.renameChat', chatId, title);
        this.titles.push(title);
      }
    } catch (thrown) {
      // What fetch throws when nobody answers any more.
      if (!(thrown instanceof TypeError)) throw thrown;
    }
  }
}

describe('two windows whose extension hosts are killed while both write to one chat', () => {
  let workbench: Workbench;
  let windows: readonly [WritingWindow, WritingWindow];
  let chatId: string;

  before(async () => {
    workbench = await startWorkbench({});
    const first = new WritingWindow('first', workbench.page, await newHost([]));
    const page = await workbench.secondPage();
    windows = [first, new WritingWindow('second', page, await newHost([first.host.pid]))];
    chatId = (await first.host.run('loupe.newChat')) as string;
  });

  after(async () => {
    await workbench.close();
  });

  /** The extension host that is none of these, as soon as its driver takes requests. */
  function newHost(others: readonly number[]): Promise<Host> {
    return waitFor('an extension host', () => {
      for (const pid of extensionHosts(workbench.server).filter((each) => !others.includes(each))) {
        const file = join(driverFolder(workbench.dataDir), `${pid}.json`);
        if (existsSync(file)) return new Host(pid, (JSON.parse(readFileSync(file, 'utf8')) as { port: number }).port);
      }
      return undefined;
    });
  }

  /** The chat as anybody finds it on the disk, at this moment. */
  async function onDisk(): Promise<ChatOnDisk> {
    const storages = join(workbench.dataDir, 'data/User/workspaceStorage');
    const root = readdirSync(storages)
      .map((id) => join(storages, id, 'loupe.loupe'))
      .find((each) => existsSync(chatsFolder(each)));
    assert.ok(root !== undefined);
    const self = { writerId: 'reader', pid: process.pid, host: hostname() };
    const store = new ChatStore({ ...storeOptions(root, self), clock: systemClock });
    return readChat(store, chatId);
  }

  /** Kills a window's extension host at a moment of its own; @returns whether that was in the middle of a run. */
  async function kill(window: WritingWindow, number: number): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, ((number * EVENLY) % 1) * LONGEST_DELAY_MS));
    process.kill(window.host.pid, 'SIGKILL');
    window.kills += 1;
    await window.ended();
    const { openRuns } = await onDisk();
    return openRuns.some(({ state }) => state === 'dead');
  }

  async function restart(window: WritingWindow): Promise<void> {
    if (window.kills % (RESTARTS_OF_A_PAGE + 1) === 0) await window.page.reload();
    window.host = await newHost(windows.map(({ host }) => host.pid));
    window.start(chatId);
  }

  /** Everything that was reported as done is there, each run in one piece; nothing else is damaged but torn lines. */
  function assertKept({ events, faults }: ChatOnDisk, reported: readonly Pick<WritingWindow, 'answered' | 'titles'>[]): void {
    const committed = new Set(events.flatMap((event) => (event.type === 'run-committed' ? [event.runId] : [])));
    const answered = new Set(
      events.flatMap((event) => (isUserMessage(event) && committed.has(event.runId ?? '') ? [messageText(event.message)] : [])),
    );
    const titles = new Set(events.flatMap((event) => (event.type === 'title' ? [event.title] : [])));
    for (const each of reported) {
      assert.deepEqual(
        each.answered.filter((text) => !answered.has(text)),
        [],
      );
      assert.deepEqual(
        each.titles.filter((title) => !titles.has(title)),
        [],
      );
    }
    const runs = events.map(runOf);
    for (const runId of new Set(runs.filter((each) => each !== null))) {
      const length = runs.lastIndexOf(runId) - runs.indexOf(runId) + 1;
      assert.equal(length, runs.filter((each) => each === runId).length, `run ${runId} is torn apart`);
    }
    assert.deepEqual(
      faults.filter(({ kind }) => kind !== 'torn'),
      [],
    );
  }

  function reportedNow(): Pick<WritingWindow, 'answered' | 'titles'>[] {
    return windows.map(({ answered, titles }) => ({ answered: [...answered], titles: [...titles] }));
  }

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
      assertKept(await onDisk(), reported);
      // The window that lives on finds out by itself, and goes on.
      await waitFor('the end of the interrupted run', async () =>
        (await onDisk()).openRuns.every(({ state }) => state === 'alive') ? true : undefined,
      );
      const written = other.titles.length;
      await waitFor('the other window to go on', () => (other.titles.length > written ? true : undefined));
      await restart(window);
    }
    await settle();
    const total = windows.reduce((sum, { answered, titles }) => sum + answered.length + titles.length, 0);
    process.stdout.write(`      ${KILLS} kills, ${inRun} of them in the middle of a run; ${total} writes were reported as done\n`);
  }).timeout(60_000 + KILLS * 20_000);

  /** Lets both windows come to rest: they show the same, and each run has one end. */
  async function settle(): Promise<void> {
    await Promise.all(windows.map((window) => window.stop()));
    const shown = await waitFor('both windows to show the same', async () => {
      const [one, two] = await Promise.all(windows.map(({ host }) => host.ask({ api: 'getChat', args: [chatId] }) as Promise<ApiChat>));
      return isDeepStrictEqual(one, two) ? one : undefined;
    });
    const content = await onDisk();
    assertKept(content, reportedNow());
    for (const { answered } of windows) {
      const texts = shown.messages.map(({ text }) => text);
      assert.deepEqual(
        answered.filter((text) => !texts.includes(text)),
        [],
      );
    }
    assertOneAtATime(content);
    const ends = content.events.map(endedRun).filter((runId) => runId !== null);
    assert.deepEqual(
      ends.filter((runId, index) => ends.indexOf(runId) !== index),
      [],
    );
  }
});

/** No run began before those in front of it had ended; of one that was interrupted only its window knew when. */
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
