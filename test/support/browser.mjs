// One headless browser for all that a process does in VS Code.

import { findBrowser, SetupError } from './setup.mjs';

const LAUNCH_TIMEOUT_MS = 60_000;

/** @returns {Promise<import('playwright-core').Browser>} */
export async function launchBrowser() {
  const { chromium } = await import('playwright-core');
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new SetupError('No browser is installed; npm test installs one.');
  return chromium.launch({
    executablePath,
    timeout: LAUNCH_TIMEOUT_MS,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      // Only what a test does may use the network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
