// The usage view with two chats, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/usageShots.ts

import { ALL_THEMES, openUsage, screenshot, setTheme } from './panel.js';
import type { ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, { frame }) => {
  const send = async (text: string): Promise<void> => {
    await frame.getByRole('textbox', { name: 'Message' }).fill(text);
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
    await frame.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 });
  };
  await send('/long 20');
  await frame.getByRole('button', { name: 'New chat' }).click();
  await frame.getByRole('heading', { name: 'New chat' }).waitFor();
  await send('Why does the second test fail only when the first one has run before it in the same process?');
  await workbench.runCommand('loupe.showUsage');
  const usage = await openUsage(workbench.page);
  await usage.getByRole('heading', { name: 'By chat' }).waitFor();
  await usage
    .getByRole('group', { name: /^Tokens by day/ })
    .getByRole('button')
    .filter({ hasText: 'Replies' })
    .hover();
  await usage.getByRole('combobox', { name: 'Chat' }).selectOption('All workspaces');
  for (const theme of ALL_THEMES) {
    await setTheme(workbench, theme);
    await screenshot(workbench.page, `usage-${theme.toLowerCase().replaceAll(' ', '-')}`);
  }
};
