// One headless browser for everything that a process does in VS Code.

import { timeLimit } from './limits.mjs';
import { findBrowser, SetupError } from './setup.mjs';

const LAUNCH_TIMEOUT_MS = 60_000;

/** The exit code of a test process whose browser has ended, and the runner's message. */
export const LOST_BROWSER = {
  code: 4,
  problem: 'the browser ended in the middle of the tests: run them again; if it happens again, set CHROME_PATH to another browser.',
};

/**
 * The suggestions of Chromium's own address bar are two pages. It renders them invisibly for each window, which costs
 * almost a second of a core.
 */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Playwright's disabled features. Chromium uses the last of several lists, which is ours. */
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** @returns {Promise<import('playwright-core').Browser>} */
export async function launchBrowser() {
  const { chromium } = await import('playwright-core');
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new SetupError('No browser is installed; npm test installs one.');
  return chromium.launch({
    executablePath,
    timeout: timeLimit(LAUNCH_TIMEOUT_MS),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      // Only the test's own actions may use the network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNSEEN].join()}`,
    ],
  });
}
