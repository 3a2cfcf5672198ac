import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import { root } from '../support/paths.mjs';
import { latestChat, latestReply, sharedWorkbench, waitFor, type ChatPanel, type Workbench } from '../support/workbench/index.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const PROFILE = '---\nname: Clerk\n---\nYou keep the books.\n';

describe('the servers of tools in the context of a chat', () => {
  let profile: string;
  let workbench: Workbench;
  let panel: ChatPanel;
  let pane: Locator;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    pane = panel.region('Context of this chat');
    profile = join(workbench.workspaceDir, '.loupe/agents/clerk.md');
    await mkdir(dirname(profile), { recursive: true });
    await writeFile(profile, PROFILE);
    const servers = {
      broken: { command: process.execPath, args: ['-e', 'console.error("No tides today."); process.exitCode = 3;'] },
      files: { command: process.execPath, args: [SERVER, workbench.workspaceDir] },
    };
    await workbench.updateSettings({ 'loupe.mcpServers': { servers } });
    await panel.newChat();
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.mcpServers': undefined });
    await rm(join(workbench.workspaceDir, '.loupe'), { recursive: true });
  });

  const box = (name: string | RegExp): Locator => pane.getByRole('checkbox', { name, exact: true });
  const row = (name: string): Locator =>
    pane.locator('.manager-server').filter({ has: panel.frame.getByRole('button', { name, exact: true }) });

  async function toolsInNext(): Promise<readonly string[]> {
    const { id } = await latestChat(workbench);
    const { body } = (await workbench.api('previewNextRequest', id)) as ApiPreview;
    return ((JSON.parse(body) as { readonly tools?: readonly { readonly name: string }[] }).tools ?? []).map(({ name }) => name);
  }

  it('start when they are first needed, and then list their tools', async () => {
    await workbench.runCommand('loupe.manageContext');
    await box('files, stopped, 0 tools [Always]').waitFor();
    await row('files').getByText('Start the server to see its tools.').waitFor();
    await panel.sendAndWait('/long 1');
    await workbench.runCommand('loupe.manageContext');
    const files = box(/^files, running, \d+ tools \[Always\]$/);
    await files.press('ArrowRight');
    await box('read_text_file').waitFor();
    await row('files').getByText('Not called in 1 reply.').waitFor();
    const all = await toolsInNext();
    assert.ok(all.includes('files__read_text_file'));
    await panel.frame.locator('.items-kinds', { hasText: `${String(all.length)} tools` }).waitFor();
  });

  it('that failed say why, here and with the next request, and have their log', async () => {
    await box('broken, failed, 0 tools [Always]').waitFor();
    await row('broken').getByText('The server stopped when it started, with code 3.').waitFor();
    await panel
      .region('Next request')
      .getByText('The MCP server "broken" failed. The server stopped when it started, with code 3. Its tools are not sent.')
      .waitFor();
    await row('broken').getByRole('button', { name: 'Show log' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'broken log.txt' }).waitFor();
    await workbench.page
      .locator('.editor-instance .view-line', { hasText: /No.tides.today/ })
      .first()
      .waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await row('files').getByRole('button', { name: 'Stop', exact: true }).click();
    await box(/^files, stopped, \d+ tools/)
      .and(panel.frame.locator(':focus'))
      .waitFor();
    await row('files').getByRole('button', { name: 'Start', exact: true }).click();
    await box(/^files, running, \d+ tools/).waitFor();
  });

  it('lose a tool that the agent of the chat switches off: the next request does without it, and the profile says so', async () => {
    await waitFor('the agent', () =>
      workbench.runCommand('loupe.selectAgent', 'Clerk').then(
        () => true,
        () => undefined,
      ),
    );
    await pane.getByRole('combobox', { name: 'Include mode of write_file' }).selectOption('off');
    await box('write_file [Off]').waitFor();
    assert.equal(await readFile(profile, 'utf8'), PROFILE.replace('name: Clerk', 'name: Clerk\ntools:\n  files:write_file: off'));
    const tools = await toolsInNext();
    const offered = ['files__read_text_file', 'files__write_file'].map((name) => tools.includes(name));
    assert.deepEqual(offered, [true, false]);
    await panel.sendAndWait('/long 1');
    const sent = (await latestReply(workbench)).tools?.map(({ toolName }) => toolName);
    assert.deepEqual([sent?.includes('read_text_file'), sent?.includes('write_file')], [true, false]);
  });

  it('are walked through with the keyboard: opened, closed, taken out, shown, put in another mode', async () => {
    const { keyboard } = workbench.page;
    const focused = (locator: Locator): Promise<void> => locator.and(panel.frame.locator(':focus')).waitFor();
    await workbench.runCommand('loupe.manageContext');
    await pane.getByRole('button', { name: /^Tools/ }).focus();
    await keyboard.press('Tab');
    await focused(pane.getByRole('button', { name: 'Add a server' }));
    await box(/^broken/).focus();
    await keyboard.press('ArrowDown');
    await focused(box(/^files, running/));
    await keyboard.press('ArrowLeft');
    await box('create_directory').waitFor({ state: 'detached' });
    await keyboard.press('ArrowRight');
    await box('create_directory').waitFor();
    await keyboard.press('ArrowDown');
    await focused(box('create_directory'));
    await keyboard.press('Space');
    await pane.getByRole('checkbox', { name: 'create_directory', checked: false }).waitFor();
    await focused(box('create_directory'));
    assert.equal((await toolsInNext()).includes('files__create_directory'), false);
    await keyboard.press('Space');
    await pane.getByRole('checkbox', { name: 'create_directory', checked: true }).waitFor();
    await keyboard.press('Tab');
    await focused(pane.getByRole('combobox', { name: 'Include mode of create_directory' }));
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await workbench.page.locator('.tab.active', { hasText: 'create_directory.json' }).waitFor();
  });
});
