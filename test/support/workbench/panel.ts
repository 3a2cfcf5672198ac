// A user's actions with VS Code's own controls around the panel.

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

export function openUsage(page: Page): Promise<Frame> {
  return waitFor('the usage view', () => findFrame(page, 'loupe-usage', 'tab'));
}

/** Waits for the frame of the front Request Inspector. */
export function openInspector(page: Page): Promise<Frame> {
  return waitFor('the Request Inspector', () => findFrame(page, 'loupe-inspector', 'tab'));
}

/** Waits for the frame of the front chat in an editor tab: with several side by side, the one loaded last. */
export function chatTab(page: Page): Promise<Frame> {
  return waitFor('a chat in a tab', () => findFrame(page, 'loupe-chat', 'tab'));
}

/** Finds the frame of the panel. VS Code puts a webview's document into a nested frame, and replaces both. */
async function findPanel(page: Page): Promise<Frame | undefined> {
  return findFrame(page, 'loupe-chat', 'view');
}

async function findFrame(page: Page, element: string, place: 'view' | 'tab'): Promise<Frame | undefined> {
  // A new document loads in a frame after the current one: the last frame counts.
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

/** Checks content and place, because VS Code's own marks are lost when it reloads a webview. */
async function isSought(frame: Frame, element: string, place: 'view' | 'tab'): Promise<boolean> {
  try {
    return (await frame.evaluate((name) => document.querySelector(name) !== null, element)) && (await placeOf(frame)) === place;
  } catch {
    // The frame was replaced meanwhile.
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

/** Pixels from the edge of the side bar to its draggable border. There is a gap between it and the editor. */
const SASH_OFFSET = 2;

/** Drags the border of the secondary side bar. VS Code allows at least about 170 px. */
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

/** By VS Code id, with the file of each theme. */
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

export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { setting, file } = THEMES[theme];
  await workbench.updateSettings({ 'workbench.colorTheme': setting });
  await workbench.page.locator(`.monaco-workbench[class*="themes-${file}-json"]`).waitFor({ timeout: TIMEOUT_MS });
}

export async function killExtensionHost(workbench: Workbench): Promise<number[]> {
  const hosts = await waitFor('an extension host', () => {
    const found = extensionHosts(workbench.server);
    return found.length > 0 ? found : undefined;
  });
  for (const pid of hosts) process.kill(pid, 'SIGKILL');
  return hosts;
}

/** Longer than VS Code needs to restart a killed extension host. */
const RESTART_MS = timeLimit(15_000);

/**
 * Waits for an extension host of a window that is not in `known`. Returns its process id. VS Code restarts a killed
 * host twice in five minutes, then asks. It never restarts one when its server needs two seconds to report how the host
 * ended.
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

export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = join(outFolder, 'screenshots');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
