// Opens VS Code in a browser, with the packaged extension.

import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { root } from '../paths.mjs';
import { makeTempFolder, removeFolder, startServer, type Server } from '../server.mjs';
import { sharedBrowser } from './browser.js';
import { callDriver, driverFolder, extensionHosts } from './driver.js';
import { showSideBar } from './sideBar.js';
import { TIMEOUT_MS, waitFor } from './wait.js';

/** Room for a panel of 420 px next to an editor. */
const VIEWPORT = { width: 1280, height: 860 };

export interface WorkbenchOptions {
  /** Default: a copy of the sample workspace. */
  readonly workspaceDir?: string;
  /** User settings in addition to those that keep VS Code quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folder of installed extensions. Default: that of the test run, with the packaged Loupe. */
  readonly extensionsDir?: string;
  /** Default: any free port. A restart keeps it. */
  readonly port?: number;
  readonly viewport?: { readonly width: number; readonly height: number };
}

export interface Workbench {
  readonly url: string;
  readonly workspaceDir: string;
  readonly dataDir: string;
  /** The current page. `restartPage` and `restartServer` replace it. */
  readonly page: Page;
  readonly server: Server;
  restartPage(): Promise<Page>;
  /** Restarts VS Code with the same port, storage and folder. */
  restartServer(): Promise<Page>;
  /** Closes the window and waits for the end of its extension host. `openAgain` opens it. */
  closePage(): Promise<void>;
  openAgain(): Promise<Page>;
  secondPage(): Promise<Page>;
  /** Opens a window with this query in its address: a workspace file, or nothing. */
  openWindow(query: string): Promise<Page>;
  /** Closes all windows but the first, and waits for the end of their extension hosts. */
  closeOtherWindows(): Promise<void>;
  /** Changes user settings while VS Code runs. Undefined restores the value that the workbench started with. */
  updateSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  runCommand(command: string, ...args: readonly unknown[]): Promise<unknown>;
  api(name: string, ...args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

interface Places {
  readonly temp: string;
  readonly workspaceDir: string;
  readonly dataDir: string;
  readonly extensionsDir: string;
}

export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const places = makePlaces(options);
  // Titles are off, because tests count requests and look for first lines.
  const settings = {
    'loupe.introduction': false,
    'loupe.defaults.titles': 'off',
    'loupe.defaults.workspaceTools': 'off',
    // At the right, notifications would cover the buttons above the message box.
    'workbench.notifications.position': 'bottom-left',
    ...options.settings,
  };
  const server = await launch(places, options.port ?? 0, settings);
  try {
    const browser = await sharedBrowser();
    // Animations of the workbench take 6 % of the processor time of a run, and no test looks at them.
    const context = await browser.newContext({ viewport: options.viewport ?? VIEWPORT, reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await openPage(context, server, folderQuery(places.workspaceDir));
    return new RunningWorkbench({ places, initial: { ...settings }, settings, server, context, page });
  } catch (error) {
    const tail = server.tail();
    await server.stop();
    throw new Error(`VS Code did not open. Its server said:\n${tail}`, { cause: error });
  }
}

function makePlaces(options: WorkbenchOptions): Places {
  const temp = makeTempFolder();
  const workspaceDir = options.workspaceDir ?? join(temp, 'tidewatch');
  if (options.workspaceDir === undefined) {
    cpSync(join(root, 'test/support/sample-workspace'), workspaceDir, { recursive: true });
  }
  const extensionsDir = options.extensionsDir ?? process.env['LOUPE_TEST_EXTENSIONS'];
  if (extensionsDir === undefined) {
    throw new Error('LOUPE_TEST_EXTENSIONS is not set: run this with npm test -- --suite e2e.');
  }
  return { temp, workspaceDir, dataDir: join(temp, 'server'), extensionsDir };
}

function launch(places: Places, port: number, settings: Record<string, unknown>): Promise<Server> {
  return startServer({
    node: process.env['LOUPE_TEST_NODE'] ?? process.execPath,
    dataFolder: places.dataDir,
    extensionsFolder: places.extensionsDir,
    builtIn: 'few',
    port,
    automation: false,
    settings,
    environment: { LOUPE_DRIVER_FOLDER: driverFolder(places.dataDir) },
  });
}

function folderQuery(folder: string): string {
  return `folder=${encodeURIComponent(folder)}`;
}

async function openPage(context: BrowserContext, server: Server, query: string): Promise<Page> {
  const page = await context.newPage();
  page.on('domcontentloaded', countWindow);
  // VS Code can reload its window, and then asks whether to leave the page. Without an answer the window hangs.
  page.on('dialog', (dialog) => void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()));
  await page.goto(`${server.url}/?${query}`);
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: TIMEOUT_MS });
  return page;
}

/** Counts loads of a workbench, the slowest action of tests. The runner shows the number. */
function countWindow(page: Page): void {
  const file = process.env['LOUPE_TEST_WINDOWS'];
  if (file !== undefined && page.url().startsWith('http')) appendFileSync(file, `${page.url()}\n`);
}

interface Running {
  readonly places: Places;
  readonly initial: Readonly<Record<string, unknown>>;
  readonly settings: Record<string, unknown>;
  server: Server;
  readonly context: BrowserContext;
  page: Page;
}

class RunningWorkbench implements Workbench {
  readonly #state: Running;

  constructor(state: Running) {
    this.#state = state;
  }

  get url(): string {
    return this.#state.server.url;
  }

  get workspaceDir(): string {
    return this.#state.places.workspaceDir;
  }

  get dataDir(): string {
    return this.#state.places.dataDir;
  }

  get page(): Page {
    return this.#state.page;
  }

  get server(): Server {
    return this.#state.server;
  }

  async restartPage(): Promise<Page> {
    await this.#state.page.close();
    return this.openAgain();
  }

  async closePage(): Promise<void> {
    await this.#state.page.close();
    await this.#onlyHosts(0);
  }

  async openAgain(): Promise<Page> {
    this.#state.page = await this.secondPage();
    return this.#state.page;
  }

  async restartServer(): Promise<Page> {
    const state = this.#state;
    await state.page.close();
    await state.server.stop();
    state.server = await launch(state.places, state.server.port, state.settings);
    return this.openAgain();
  }

  async secondPage(): Promise<Page> {
    const page = await this.openWindow(folderQuery(this.#state.places.workspaceDir));
    await showSideBar(page);
    return page;
  }

  openWindow(query: string): Promise<Page> {
    const { context, server } = this.#state;
    return openPage(context, server, query);
  }

  async closeOtherWindows(): Promise<void> {
    const { context, page } = this.#state;
    const others = context.pages().filter((each) => each !== page);
    if (others.length === 0) return;
    for (const other of others) {
      // VS Code ends the extension host of a page that navigates away, but not always that of a closed page.
      await other.goto('about:blank');
      await other.close();
    }
    await this.#onlyHosts(1);
  }

  /** Waits until only `count` extension hosts run. The driver of the newest one takes the commands. */
  async #onlyHosts(count: number): Promise<void> {
    await waitFor('the end of the extension host', () => extensionHosts(this.#state.server).length <= count || undefined);
  }

  async updateSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { initial, settings: all } = this.#state;
    const set = Object.entries(settings).map(([name, value]) => [name, value ?? initial[name]] as const);
    Object.assign(all, Object.fromEntries(set));
    // JSON has no undefined.
    const sent = Object.fromEntries(set.map(([name, value]) => [name, value ?? null]));
    await callDriver(this.#state.server, { settings: sent });
  }

  runCommand(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return callDriver(this.#state.server, { command, args });
  }

  api(name: string, ...args: readonly unknown[]): Promise<unknown> {
    return callDriver(this.#state.server, { api: name, args });
  }

  async close(): Promise<void> {
    await this.#state.context.close();
    await this.#state.server.stop();
    removeFolder(this.#state.places.temp);
  }
}
