// The documents of requests beside the panel, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/requestShots.ts

import { join } from 'node:path';
import { ALL_THEMES, screenshot, setSidebarWidth, setTheme } from './panel.js';
import { WIDTHS, type ShotScript } from './shots.js';

export const shoot: ShotScript = async (workbench, { frame }) => {
  const { page } = workbench;
  const take = async (name: string): Promise<void> => {
    for (const theme of ALL_THEMES) {
      await setTheme(workbench, theme);
      for (const width of WIDTHS) {
        await setSidebarWidth(page, width);
        await screenshot(page, `request-${name}-${theme.toLowerCase().replaceAll(' ', '-')}-${width}`);
      }
    }
  };
  const uri = (name: string): object => ({ $uri: join(workbench.workspaceDir, name) });
  await workbench.runCommand('loupe.addFileToContext', uri('README.md'));
  await workbench.runCommand('loupe.sendMessage', '/tool echo {"text":"hi"}');
  await workbench.runCommand('loupe.previewNextRequest');
  await frame.getByRole('textbox', { name: 'Message' }).fill('And what would this one cost?');
  // Longer than the pause before the next request is composed.
  await page.waitForTimeout(1_000);
  await take('next');
  await workbench.runCommand('workbench.action.quickOpen', '@');
  await page.waitForTimeout(1_000);
  await screenshot(page, 'request-outline');
  await page.keyboard.press('Escape');
  await workbench.runCommand('loupe.showRawRequest');
  await screenshot(page, 'request-raw');
  await workbench.runCommand('loupe.sendMessage', '/error 401');
  await workbench.runCommand('loupe.showRequest');
  await page.keyboard.press('Control+End');
  await page.waitForTimeout(500);
  await screenshot(page, 'request-sent');
};
