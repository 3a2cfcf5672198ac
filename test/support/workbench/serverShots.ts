// What servers offer beside tools, and what they ask, for a look at the design:
//   node test/support/shots.mjs --script support/workbench/serverShots.ts

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { ChatPanel } from './chat.js';
import { screenshot, screenshotSidebar, setSidebarWidth, setTheme, type Theme } from './panel.js';
import { QuickInput } from './quickInput.js';
import type { ShotScript } from './shots.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

const LOOKS: readonly (readonly [Theme, number])[] = [
  ['Dark Modern', 420],
  ['Light Modern', 300],
  ['Dark High Contrast', 300],
];

export const shoot: ShotScript = async (workbench, { frame }) => {
  const { page } = workbench;
  const panel = new ChatPanel(frame);
  const quickInput = new QuickInput(page);
  const servers = {
    everything: { command: process.execPath, args: [SERVER] },
    broken: { command: 'no-such-command' },
    unfinished: {},
  };
  mkdirSync(join(workbench.workspaceDir, '.vscode'), { recursive: true });
  writeFileSync(join(workbench.workspaceDir, '.vscode/mcp.json'), JSON.stringify({ servers }));
  const write = async (text: string, awaited: string, name: string): Promise<void> => {
    for (const [theme, width] of LOOKS) {
      await setTheme(workbench, theme);
      await setSidebarWidth(page, width);
      await panel.composer.fill('');
      await panel.composer.click();
      await page.keyboard.type(text);
      await frame.getByRole('option', { name: awaited }).first().waitFor();
      await screenshotSidebar(page, `servers-${name}-${theme.toLowerCase().replaceAll(' ', '-')}-${String(width)}`);
    }
  };
  await write('/', 'Arguments Prompt', 'prompts');
  await write('Read @arch', 'architecture.md', 'resources');
  await page.keyboard.press('Enter');
  await frame.locator('.chip-open', { hasText: 'architecture.md' }).waitFor();
  await screenshotSidebar(page, 'servers-resource-chip');
  await panel.composer.fill('');
  await panel.composer.click();
  await page.keyboard.type('/args');
  await frame.getByRole('option', { name: 'everything:args-prompt' }).waitFor();
  await page.keyboard.press('Enter');
  await quickInput.asked('Name of the city');
  await screenshot(page, 'servers-blank');
  await page.keyboard.press('Escape');
  await panel.send('/tool everything__trigger-elicitation-request {}');
  await panel.log
    .getByRole('group', { name: 'Allow everything:trigger-elicitation-request?' })
    .getByRole('button', { name: 'This chat' })
    .click();
  await quickInput.asked('Please provide inputs');
  await screenshot(page, 'servers-form-consent');
  await quickInput.pick('Answer');
  await quickInput.asked('(2/14)');
  await screenshot(page, 'servers-form-field');
  await quickInput.type('Ada');
  for (let step = 3; step <= 14; step += 1) {
    await quickInput.asked(`(${String(step)}/14)`);
    await screenshot(page, `servers-form-${String(step)}`);
    await quickInput.confirm();
  }
  await panel.idle();
  await screenshot(page, 'servers-form-answered');
  await panel.send('/tool everything__trigger-url-elicitation {"url": "https://example.com/login"}');
  await panel.log
    .getByRole('group', { name: 'Allow everything:trigger-url-elicitation?' })
    .getByRole('button', { name: 'This chat' })
    .click();
  await quickInput.asked('Please open the link');
  await screenshot(page, 'servers-page');
  await quickInput.pick('Refuse');
  await panel.idle();
  for (const [theme, width] of LOOKS) {
    await setTheme(workbench, theme);
    await setSidebarWidth(page, width);
    await workbench.runCommand('loupe.manageContext');
    const tools = frame.getByRole('region', { name: 'Context of this chat' }).getByRole('button', { name: /^Tools/ });
    if ((await tools.getAttribute('aria-expanded')) === 'false') await tools.click();
    await frame.getByText('It needs "command" or "url"').first().waitFor();
    await screenshotSidebar(page, `servers-mistakes-${theme.toLowerCase().replaceAll(' ', '-')}-${String(width)}`);
  }
};
