import type { Page } from 'playwright-core';
import { waitFor } from './wait.js';

export const SIDE_BAR = '.part.auxiliarybar';

/**
 * Shows the secondary side bar of a new window. VS Code in a browser saves its layout once a minute, but not when a
 * window closes. The bar is missing when a test had hidden it at that time.
 */
export async function showSideBar(page: Page): Promise<void> {
  await waitFor('the side bar', async () => {
    if (await page.locator(SIDE_BAR).isVisible()) return true;
    await page.getByRole('button', { name: /^Toggle Secondary Side Bar/ }).click();
    return undefined;
  });
}
