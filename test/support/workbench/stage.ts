// What the scripts do that take pictures of chats and of their files.

import { ChatPanel, latestChat } from './chat.js';
import { extensionHosts } from './driver.js';
import { openLoupe, screenshotSidebar, setSidebarWidth, type Theme } from './panel.js';
import { QuickInput } from './quickInput.js';
import type { Workbench } from './server.js';
import { WIDTHS, type ShotTools } from './shots.js';
import { ChatFiles, storageFolder } from './storageFaults.js';
import { waitFor } from './wait.js';

/** From here on the text keeps a readable width in the middle. */
export const WIDE = 920;

/** The workbench with the panel on show, which comes and goes with its window. */
export class Stage {
  readonly workbench: Workbench;
  readonly #tools: ShotTools;
  readonly #prefix: string;
  panel: ChatPanel;
  #made = 0;

  /** @param prefix - of the names of the pictures */
  constructor(workbench: Workbench, tools: ShotTools, prefix: string) {
    this.workbench = workbench;
    this.#tools = tools;
    this.#prefix = prefix;
    this.panel = new ChatPanel(tools.frame);
  }

  /** In all themes and widths, the wide one in the theme that comes last. */
  async take(name: string): Promise<void> {
    await this.#tools.shoot(`${this.#prefix}-${name}`);
    await setSidebarWidth(this.workbench.page, WIDE);
    await screenshotSidebar(this.workbench.page, `${this.#prefix}-${name}-wide`);
  }

  /** In all widths, as it is at this moment: Loupe stands still meanwhile, and cannot change the theme. */
  async takeAtOnce(name: string, theme: Theme): Promise<void> {
    const hosts = extensionHosts(this.workbench.server);
    for (const pid of hosts) process.kill(pid, 'SIGSTOP');
    try {
      for (const width of [...WIDTHS, WIDE]) {
        await this.takeAt(name, theme, width);
      }
    } finally {
      for (const pid of hosts) process.kill(pid, 'SIGCONT');
    }
  }

  /** @param theme - that is on show */
  async takeAt(name: string, theme: Theme, width: number): Promise<void> {
    const { page } = this.workbench;
    await setSidebarWidth(page, width);
    await screenshotSidebar(page, `${this.#prefix}-${name}-${theme.toLowerCase().replaceAll(' ', '-')}-${String(width)}`);
  }

  /** A chat in which something was said; it is on show afterwards. */
  async newChat(title: string): Promise<ChatFiles> {
    await this.panel.composer.waitFor();
    await this.panel.button('New chat').click();
    await this.panel.frame.getByRole('heading', { name: 'New chat' }).waitFor();
    // Another text each time: the same one within a second is taken for a key that was held too long.
    this.#made += 1;
    await this.panel.sendAndWait(`/long ${12 + this.#made}`);
    const { id } = await latestChat(this.workbench);
    await this.workbench.runCommand('loupe.renameChat', id, title);
    await this.panel.frame.getByRole('heading', { name: title }).waitFor();
    return new ChatFiles(storageFolder(this.workbench), id);
  }

  /** Nobody holds the chats any more when this returns. */
  async close(): Promise<void> {
    const { page, server } = this.workbench;
    await page.close();
    for (const pid of extensionHosts(server)) process.kill(pid);
    await waitFor('the end of the window', () => (extensionHosts(server).length === 0 ? true : undefined));
  }

  /** Reads everything from the disk anew, as another start of VS Code does. */
  async restart(): Promise<void> {
    this.panel = new ChatPanel(await openLoupe(await this.workbench.restartPage()));
    await this.panel.composer.waitFor();
  }

  async open(title: string): Promise<void> {
    await this.choose(title);
    await this.panel.frame.getByRole('heading', { name: title }).waitFor();
  }

  async choose(title: string): Promise<void> {
    await this.panel.button('Switch chat').click();
    await this.panel.region('Chat list').getByRole('button').filter({ hasText: title }).first().click();
  }

  /** Searches all chats for the text of a message of the user, and goes to it. */
  async find(text: string): Promise<void> {
    const quick = new QuickInput(this.workbench.page);
    const choosing = this.workbench.runCommand('loupe.searchHistory');
    await quick.asked('Text in messages and titles of all chats');
    await this.workbench.page.keyboard.type(text);
    await quick.row(text).click();
    await choosing;
    await this.panel.articles('You').filter({ hasText: text }).waitFor();
  }

  async openAndTake(title: string, name: string): Promise<void> {
    await this.open(title);
    await this.take(name);
  }

  said(text: string | RegExp): Promise<void> {
    return this.panel.frame.getByText(text).first().waitFor();
  }
}
