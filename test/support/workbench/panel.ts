// What a user does with VS Code's own controls around the Loupe panel.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { timeLimit } from '../limits.mjs';
import { outFolder } from '../paths.mjs';
import { extensionHosts } from './driver.js';
import { QuickInput } from './quickInput.js';
import type { Workbench } from './server.js';
import { SIDE_BAR } from './sideBar.js';
import { TIMEOUT_MS, waitFor } from './wait.js';

/** Shows the Loupe view and returns the frame that holds the panel. */
export async function openLoupe(page: Page): Promise<Frame> {
  const tab = page.locator(`${SIDE_BAR} .action-item:has(.action-label[aria-label^="Loupe"])`);
  await tab.waitFor({ timeout: TIMEOUT_MS });
  return waitFor('the Loupe view', async () => {
    const frame = await findPanel(page);
    if (frame === undefined && !(await isChecked(tab))) await tab.click();
    return frame;
  });
}

async function isChecked(tab: Locator): Promise<boolean> {
  return (await tab.getAttribute('class'))?.split(' ').includes('checked') === true;
}

/** The frame of the usage view, once it is open. */
export function openUsage(page: Page): Promise<Frame> {
  return waitFor('the usage view', () => findFrame(page, 'loupe-usage', 'tab'));
}

/** The frame of the Request Inspector that is in front. */
export function openInspector(page: Page): Promise<Frame> {
  return waitFor('the Request Inspector', () => findFrame(page, 'loupe-inspector', 'tab'));
}

/** The frame of a chat in an editor tab that is in front. With several of them side by side it is the one that was filled last. */
export function chatTab(page: Page): Promise<Frame> {
  return waitFor('a chat in a tab', () => findFrame(page, 'loupe-chat', 'tab'));
}

/** The frame of the panel. VS Code puts a webview's document into a frame inside a frame, and both come and go. */
async function findPanel(page: Page): Promise<Frame | undefined> {
  return findFrame(page, 'loupe-chat', 'view');
}

async function findFrame(page: Page, element: string, place: 'view' | 'tab'): Promise<Frame | undefined> {
  // A new document is loaded in a frame behind the current one: the last counts.
  for (const frame of page.frames().toReversed()) {
    if (!frame.isDetached() && isLoupeFrame(frame) && (await isSought(frame, element, place))) return frame;
  }
  return undefined;
}

function isLoupeFrame(frame: Frame): boolean {
  const outer = frame.parentFrame();
  if (outer === null || !frame.url().includes('/webview/browser/pre/fake.html')) return false;
  return new URL(outer.url()).searchParams.get('extensionId') === 'loupe.loupe';
}

/** By what is in it, and where it is: VS Code's own marks are gone after it has reloaded a webview. */
async function isSought(frame: Frame, element: string, place: 'view' | 'tab'): Promise<boolean> {
  try {
    return (await frame.evaluate((name) => document.querySelector(name) !== null, element)) && (await placeOf(frame)) === place;
  } catch {
    // The frame was replaced while it was asked.
    return false;
  }
}

async function placeOf(frame: Frame): Promise<'view' | 'tab'> {
  const editors = await frame.page().locator('.part.editor').boundingBox();
  const own = await (await frame.parentFrame()?.frameElement())?.boundingBox();
  if (editors === null || own === null || own === undefined) return 'view';
  const isWithin = own.x >= editors.x - 1 && own.x + own.width <= editors.x + editors.width + 1 && own.y >= editors.y - 1;
  return isWithin ? 'tab' : 'view';
}

/** In pixels, from the side bar's edge to where its border can be dragged: between it and the editor is a gap. */
const SASH_OFFSET = 2;

/** Drags the border of the secondary side bar; VS Code allows no less than about 170 px. */
export async function setSidebarWidth(page: Page, width: number): Promise<void> {
  const sidebar = page.locator(SIDE_BAR);
  await waitFor(`a side bar of ${width} px`, async () => {
    const box = await sidebar.boundingBox();
    if (box === null) return undefined;
    if (Math.abs(box.width - width) < 1) return true;
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x - SASH_OFFSET, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - width - SASH_OFFSET, middle, { steps: 4 });
    await page.mouse.up();
    return undefined;
  });
}

/** By their ids in VS Code, and the file that each is read from. */
const THEMES = {
  'Dark Modern': { setting: 'Dark Modern', file: 'dark_modern' },
  'Light Modern': { setting: 'Light Modern', file: 'light_modern' },
  'Dark 2026': { setting: 'Dark 2026', file: '2026-dark' },
  'Light 2026': { setting: 'Light 2026', file: '2026-light' },
  'Dark High Contrast': { setting: 'Default High Contrast', file: 'hc_black' },
  'Light High Contrast': { setting: 'Default High Contrast Light', file: 'hc_light' },
} as const;

export type Theme = keyof typeof THEMES;
export const ALL_THEMES = Object.keys(THEMES) as Theme[];

/** Changes the colour theme and waits until the window wears it. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { setting, file } = THEMES[theme];
  await workbench.updateSettings({ 'workbench.colorTheme': setting });
  await workbench.page.locator(`.monaco-workbench[class*="themes-${file}-json"]`).waitFor({ timeout: TIMEOUT_MS });
}

/**
 * Kills the extension hosts of a workbench's server the hard way.
 * @returns their process ids
 */
export async function killExtensionHost(workbench: Workbench): Promise<number[]> {
  const hosts = await waitFor('an extension host', () => {
    const found = extensionHosts(workbench.server);
    return found.length > 0 ? found : undefined;
  });
  for (const pid of hosts) process.kill(pid, 'SIGKILL');
  return hosts;
}

/** Longer than VS Code takes to restart a killed extension host. */
const RESTART_MS = timeLimit(15_000);

/**
 * Waits for an extension host of a window besides those that are known. VS Code restarts a killed one automatically
 * twice in five minutes, then asks. It never does when its server takes two seconds to say how the host ended.
 * @returns its process id
 */
export function restartedHost(workbench: Workbench, page: Page, known: readonly number[]): Promise<number> {
  const question = page.getByRole('button', { name: 'Restart Remote Extension Host' });
  let commandAt = Date.now() + RESTART_MS;
  return waitFor('an extension host', async () => {
    const found = extensionHosts(workbench.server).find((pid) => !known.includes(pid));
    if (found !== undefined) return found;
    if (await question.isVisible()) {
      await question.click();
    } else if (Date.now() > commandAt) {
      commandAt = Infinity;
      await new QuickInput(page).runByKeyboard('Developer: Restart Extension Host');
    }
    return undefined;
  });
}

/** Saves what the window shows as out/screenshots/<name>.png. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = join(outFolder, 'screenshots');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
