// Takes the picture of the README: a chat with a changed file, and the Request Inspector with its cost. node
// test/support/shots.mjs --window readmePicture

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { uriArgument } from './chat.js';
import { inWindow } from './inWindow.js';
import { openInspector, screenshot, setSidebarWidth, setTheme } from './panel.js';

const SIZE = { width: 1_440, height: 980 };

export const shoot = (): Promise<void> =>
  inWindow(async (workbench, frame) => {
    const { page } = workbench;
    await page.setViewportSize(SIZE);
    await setTheme(workbench, 'Dark Modern');
    await page.keyboard.press('Control+B');
    await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    await setSidebarWidth(page, 420);
    await workbench.updateSettings({ 'loupe.defaults.layout': 'plain', 'loupe.defaults.workspaceTools': 'on' });
    const chatId = (await workbench.runCommand('loupe.newChat')) as string;
    for (const file of ['README.md', 'src/predict.ts', 'src/gauge.ts']) {
      await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, file));
    }
    const say = (text: string): Promise<unknown> => workbench.runCommand('loupe.sendMessage', text, { chatId });
    await say('How is the next high water found?');
    await say('And what would a second gauge add?');
    appendFileSync(join(workbench.workspaceDir, 'src/predict.ts'), '\n// The second gauge stands at Husum.\n');
    await say('Take both gauges into the prediction.');
    await frame.getByRole('article', { name: 'Assistant' }).nth(2).getByRole('button', { name: 'Show this request' }).click();
    const inspector = await openInspector(page);
    await inspector.getByRole('heading', { level: 1, name: 'Request 3 of 3' }).waitFor();
    await inspector.getByRole('row').filter({ hasText: 'src/predict.ts' }).first().click();
    await frame.getByRole('button', { name: 'Next request', exact: true }).click();
    await frame.getByRole('textbox', { name: 'Message' }).fill('Which of them is more exact?');
    await frame.getByRole('group', { name: 'Parts of the next request' }).waitFor();
    await screenshot(page, 'readme');
  });
