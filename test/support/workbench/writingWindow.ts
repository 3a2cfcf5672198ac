// A window that writes to a chat until its extension host is killed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { driverFolder } from './driver.js';
import { restartedHost } from './panel.js';
import type { Workbench } from './server.js';
import { waitFor } from './wait.js';

/** Longer than the pauses between writes of progress, so that some kills interrupt a reply. */
const REPLY_WORDS = 60;

export class Host {
  readonly pid: number;
  readonly #url: string;

  private constructor(pid: number, port: number) {
    this.pid = pid;
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** Returns the extension host of a window that is not in `others`, as soon as its driver answers. */
  static async of(workbench: Workbench, page: Page, others: readonly number[]): Promise<Host> {
    const pid = await restartedHost(workbench, page, others);
    const file = join(driverFolder(workbench.dataDir), `${pid}.json`);
    await waitFor('its driver', () => existsSync(file) || undefined);
    return new Host(pid, (JSON.parse(readFileSync(file, 'utf8')) as { port: number }).port);
  }

  /** Rejects with a `TypeError` when the host is dead, and with an `Error` when the command throws. */
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

export interface Reported {
  readonly answered: string[];
  readonly titles: string[];
}

export class WritingWindow implements Reported {
  readonly name: string;
  readonly page: Page;
  host: Host;
  readonly answered: string[] = [];
  readonly titles: string[] = [];
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

  /** Resolves when its host is dead or it was stopped. Rejects on other failures. */
  async ended(): Promise<void> {
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  async #write(host: Host, chatId: string): Promise<void> {
    try {
      while (!this.#isStopped) {
        this.#count += 1;
        const text = `/long ${REPLY_WORDS}\n${this.name}-${this.#count}`;
        // The message waits while the other window answers.
        await host.run('loupe.sendMessage', text, { chatId });
        this.answered.push(text);
        const title = `${this.name} ${this.#count}`;
        await host.run('loupe.renameChat', chatId, title);
        this.titles.push(title);
      }
    } catch (thrown) {
      // `fetch` throws this when the host is dead.
      if (!(thrown instanceof TypeError)) throw thrown;
    }
  }
}
