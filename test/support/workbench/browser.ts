// One browser for all workbenches of a process. shared.ts closes it after the last test.

import type { Browser } from 'playwright-core';
import { launchBrowser, LOST_BROWSER } from '../browser.mjs';
import { stopAll } from '../processes.mjs';

const holder: { browser: Promise<Browser> | undefined } = { browser: undefined };

export function sharedBrowser(): Promise<Browser> {
  holder.browser ??= launchBrowser().then((browser) => browser.on('disconnected', endWithoutBrowser));
  return holder.browser;
}

/** Without a browser each further test would fail with a meaningless stack. */
function endWithoutBrowser(): void {
  if (holder.browser !== undefined) void stopAll().finally(() => process.exit(LOST_BROWSER.code));
}

export async function closeSharedBrowser(): Promise<void> {
  const browser = await holder.browser;
  holder.browser = undefined;
  await browser?.close();
}
