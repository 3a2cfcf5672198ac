import type { Frame, Page } from 'playwright-core';

/** Opens the settings of the chat by the chat's menu. */
export async function openSettings(panel: Page | Frame): Promise<void> {
  await panel.getByRole('button', { name: 'Chat menu' }).click();
  await panel.getByRole('menuitem', { name: 'Chat settings' }).click();
}
