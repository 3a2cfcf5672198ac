// One browser for all workbenches of a process; shared.ts closes it after the last test.

import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser.mjs';

const holder: { browser: Promise<Browser> | undefined } = { browser: undefined };

export function sharedBrowser(): Promise<Browser> {
  holder.browser ??= launchBrowser();
  return holder.browser;
}

export async function closeSharedBrowser(): Promise<void> {
  const browser = await holder.browser;
  holder.browser = undefined;
  await browser?.close();
}
