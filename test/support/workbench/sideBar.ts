import type { Page } from 'playwright-core';
import { waitFor } from './wait.js';

/** Where the Loupe view is. */
export const SIDE_BAR = '.part.auxiliarybar';

/**
 * Shows the secondary side bar of a window that was just opened. VS Code in a browser writes down its layout once a
 * minute, and not when a window closes: the window has none when a test had hidden it at that moment.
 */
export async function showSideBar(page: Page): Promise<void> {
  await waitFor('the side bar', async () => {
    if (await page.locator(SIDE_BAR).isVisible()) return true;
    await page.getByRole('button', { name: /^Toggle Secondary Side Bar/ }).click();
    return undefined;
  });
}
