import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../support/paths.mjs';
import { ChatPanel, openLoupe, QuickInput, startWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('what a server offers beside tools, in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;
  let quickInput: QuickInput;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-prompts-'));
    await mkdir(join(folder, '.vscode'));
    const servers = { everything: { command: process.execPath, args: [SERVER] } };
    await writeFile(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    workbench = await startWorkbench({ workspaceDir: folder });
    panel = new ChatPanel(await openLoupe(workbench.page));
    quickInput = new QuickInput(workbench.page);
  });

  after(async () => {
    await workbench.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => panel.newChat());

  const option = (name: string): Locator => panel.frame.getByRole('option', { name });

  it('has its prompts behind a /: the text goes into the message box, to be edited and sent', async () => {
    await panel.composer.click();
    await workbench.page.keyboard.type('/args');
    await option('everything:args-prompt').waitFor();
    await workbench.page.keyboard.press('Enter');
    await quickInput.asked('Name of the city');
    await quickInput.confirm();
    await quickInput.asked('A value is needed.');
    await quickInput.type('Oslo');
    await quickInput.asked('may be left out');
    await quickInput.confirm();
    await waitFor('the text of the prompt', async () => (await panel.composer.inputValue()) === "What's weather in Oslo?" || undefined);
    await waitFor('the focus', () => panel.frame.evaluate(() => document.activeElement?.localName === 'vscode-text-area' || undefined));
    await workbench.page.keyboard.type(' And in Bergen?');
    await workbench.page.keyboard.press('Enter');
    await panel.articles('You').filter({ hasText: "What's weather in Oslo? And in Bergen?" }).waitFor();
    await panel.idle();
    // What is no prompt is sent as it is.
    await panel.sendAndWait('/long 3');
  });
});
