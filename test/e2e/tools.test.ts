import assert from 'node:assert/strict';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../support/paths.mjs';
import { ChatPanel, openLoupe, startWorkbench, type Workbench } from '../support/workbench/index.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** A line that has the practice model call a tool of the file server. */
const call = (tool: string, args: object): string => `/tool files__${tool} ${JSON.stringify(args)}`;

describe('tools in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-tools-'));
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, 'tides.md'), 'Low water at 10:25\n');
    const servers = { files: { command: process.execPath, args: [SERVER, folder] } };
    await writeFile(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    workbench = await startWorkbench({ workspaceDir: folder });
    panel = new ChatPanel(await openLoupe(workbench.page));
  });

  after(async () => {
    await workbench.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => panel.newChat());

  const question = (name: string): Locator => panel.log.getByRole('group', { name: `Allow files:${name}?` });

  it('run a loop of ten calls over a real MCP server, each asked for until it is allowed in the chat', async () => {
    const path = (name: string): string => join(folder, name);
    await panel.send(
      [
        call('list_directory', { path: folder }),
        call('read_text_file', { path: path('tides.md') }),
        call('write_file', { path: path('high.md'), content: 'High water at 04:12\n' }),
        call('read_text_file', { path: path('high.md') }),
        call('write_file', { path: path('both.md'), content: 'Both\n' }),
        call('edit_file', { path: path('both.md'), edits: [{ oldText: 'Both', newText: 'High and low' }] }),
        call('read_text_file', { path: path('both.md') }),
        call('get_file_info', { path: path('both.md') }),
        call('search_files', { path: folder, pattern: '*.md' }),
        call('list_allowed_directories', {}),
      ].join('\n'),
    );
    const asked: string[] = [];
    const names = [
      'list_directory',
      'read_text_file',
      'write_file',
      'edit_file',
      'get_file_info',
      'search_files',
      'list_allowed_directories',
    ];
    for (const name of names) {
      await question(name).waitFor();
      asked.push(name);
      await question(name).getByRole('button', { name: 'This chat' }).click();
    }
    await panel.idle();
    assert.deepEqual(asked, names);
    assert.equal(await readFile(path('high.md'), 'utf8'), 'High water at 04:12\n');
    assert.equal(await readFile(path('both.md'), 'utf8'), 'High and low\n');
    assert.equal(await panel.log.getByText('allowed in this chat').count(), 0, 'what is done is one closed line');
    const rows = panel.log.locator('.tools-done');
    assert.equal(await rows.count(), 10);
    await rows.last().getByRole('button').click();
    // A narrow panel has no room for it.
    await panel.log.getByText('allowed in this chat').waitFor({ state: 'attached' });
  });

  it('do not run when they are refused, and the model is told why', async () => {
    await panel.send(call('write_file', { path: join(folder, 'never.md'), content: 'x' }));
    await question('write_file').getByRole('button', { name: 'Refuse' }).click();
    await panel.frame.getByRole('textbox', { name: 'Reason, told to the model' }).fill('not there');
    await workbench.page.keyboard.press('Enter');
    await panel.log.getByText('Told to the model: not there').waitFor();
    await panel.idle();
    await assert.rejects(readFile(join(folder, 'never.md')));
  });

  it('are still asked about after the window was reloaded, and then run', async () => {
    await panel.send(call('write_file', { path: join(folder, 'later.md'), content: 'later' }));
    await question('write_file').waitFor();
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await question('write_file').getByRole('button', { name: 'Once' }).click();
    await panel.idle();
    await panel.log.locator('.tools-done').waitFor();
    assert.equal(await readFile(join(folder, 'later.md'), 'utf8'), 'later');
  });
});
