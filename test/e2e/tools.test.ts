import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { png } from '../support/images.js';
import { root } from '../support/paths.mjs';
import { latestChat, sharedWorkbench, type ChatPanel, type Workbench } from '../support/workbench/index.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const NAMES = ['tides.md', 'ebb.md'];
/** A line that makes the practice model call a tool of the file server. */
const call = (tool: string, args: object): string => `/tool files__${tool} ${JSON.stringify(args)}`;

describe('tools in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    folder = workbench.workspaceDir;
    await writeFile(join(folder, 'water.md'), 'Low water at 10:25\n');
    const servers = { files: { command: process.execPath, args: [SERVER, folder] } };
    await workbench.updateSettings({ 'loupe.mcpServers': { servers } });
    await panel.startServers();
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.mcpServers': undefined });
    await rm(join(folder, 'water.md'));
  });

  beforeEach(() => panel.newChat());

  const question = (name: string): Locator => panel.log.getByRole('group', { name: `Allow files:${name}?` });

  it('run a loop of ten calls over a real MCP server, each asked for until it is allowed in the chat', async () => {
    const path = (name: string): string => join(folder, name);
    await panel.send(
      [
        call('list_directory', { path: folder }),
        call('read_text_file', { path: path('water.md') }),
        call('write_file', { path: path('spring.md'), content: 'High water at 04:12\n' }),
        call('read_text_file', { path: path('spring.md') }),
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
      await panel.answer(`Allow files:${name}?`, 'This chat');
    }
    await panel.idle();
    assert.deepEqual(asked, names);
    assert.equal(await readFile(path('spring.md'), 'utf8'), 'High water at 04:12\n');
    assert.equal(await readFile(path('both.md'), 'utf8'), 'High and low\n');
    assert.equal(await panel.log.locator('.step').count(), 0, 'what is done is one closed line');
    await panel.log.getByRole('button', { name: /^10 steps/ }).click();
    // Ten calls and the reply.
    await panel.log.locator('.step').nth(10).waitFor();
    await panel.log.locator('.tool-call .step').last().click();
    await panel.log.getByText('Allowed in this chat').waitFor();

    await panel.log.getByRole('article', { name: 'You' }).first().hover();
    await panel.log.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Edit' }).click();
    await panel.frame.getByRole('checkbox', { name: 'Also restore 2 files' }).waitFor();
    assert.equal(await panel.frame.getByText(/\.tmp/).count(), 0, 'the server writes into another file first, which is gone');
    await panel.sendAndWait('/long 3');
    assert.deepEqual(await panel.frame.getByRole('alert').allInnerTexts(), [], 'both files were restored');
    await assert.rejects(readFile(path('spring.md')));
    await assert.rejects(readFile(path('both.md')));
  });

  it('show the images of their results, also of a chat that was loaded, and open one by a click', async () => {
    await writeFile(join(folder, 'gauge.png'), png(64, 48, 0));
    await panel.send(call('read_media_file', { path: join(folder, 'gauge.png') }));
    await panel.answer('Allow files:read_media_file?', 'This chat');
    await panel.idle();
    const image = panel.log.getByRole('button', { name: 'Image (image/png, 64 × 48' });
    await panel.log.getByRole('button', { name: /^1 step/ }).click();
    await image.waitFor();
    const chatId = (await latestChat(workbench)).id;
    await panel.newChat();
    await image.waitFor({ state: 'detached' });
    await workbench.runCommand('loupe.openChat', chatId);
    await image.click();
    await workbench.page.getByRole('tab', { name: 'Image.png' }).waitFor();
    await rm(join(folder, 'gauge.png'));
  });

  it('do not run when they are refused, and the model is told why', async () => {
    await panel.send(call('write_file', { path: join(folder, 'never.md'), content: 'x' }));
    await question('write_file').getByRole('button', { name: 'Refuse' }).click();
    await panel.frame.getByRole('textbox', { name: 'Reason for the model' }).fill('not there');
    await workbench.page.keyboard.press('Enter');
    await panel.idle();
    await panel.log.getByRole('button', { name: /^1 step .*1 refused/ }).click();
    await panel.log.getByText('The model got this reason: not there').waitFor();
    await assert.rejects(readFile(join(folder, 'never.md')));
  });

  it('are asked about again once an approval for always is taken back', async () => {
    await panel.send(call('list_allowed_directories', {}));
    await panel.answer('Allow files:list_allowed_directories?', 'Always');
    await panel.idle();
    await panel.newChat();
    await panel.sendAndWait(call('list_allowed_directories', {}));
    await panel.log.getByRole('button', { name: /^1 step/ }).click();
    await panel.log.locator('.tool-call .step').last().click();
    await panel.log.getByRole('button', { name: 'Take back' }).click();
    await panel.log.getByText('Always allowed, taken back').waitFor();
    await panel.send(call('list_allowed_directories', {}));
    await question('list_allowed_directories').getByRole('button', { name: 'Once' }).click();
    await panel.idle();
  });
});

describe('the tools of the workspace in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    folder = workbench.workspaceDir;
    // Each test has its own files, because VS Code keeps the text of a deleted file for minutes.
    for (const name of NAMES) await writeFile(join(folder, name), 'Low water at 10:25\n');
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'on' });
    // Until the panel shows a chat with these tools, it would send to the chat before.
    await workbench.runCommand('loupe.newChat');
    await panel.frame.locator('.items-kinds', { hasText: /\b10 tools\b/ }).waitFor();
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.defaults.workspaceTools': 'off' });
    for (const name of NAMES) await rm(join(folder, name));
  });

  const own = (tool: string, args: object): string => `/tool ${tool} ${JSON.stringify(args)}`;
  const allow = (name: string): Promise<void> => panel.answer(`Allow ${name}?`, 'This chat');
  const READING = 'Let it read files of this folder?';
  const COMMAND = 'Run this command?';

  it('run a command without a question once exactly this command is allowed, until that is taken back', async () => {
    const run = (command: string): string => own('run_command', { command });
    await panel.newChat();
    await panel.send(run('echo one'));
    await panel.answer(COMMAND, 'Always this command');
    await panel.idle();
    await panel.sendAndWait(run('echo one'));
    await panel.send(run('echo two'));
    await panel.answer(COMMAND, 'Once');
    await panel.idle();
    await workbench.runCommand('loupe.manageContext');
    await panel.frame.getByRole('button', { name: 'Take back: echo one, all chats of this folder' }).click();
    await panel.frame.getByText('Approval taken back. Loupe asks again.').first().waitFor();
    await panel.frame.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.frame.getByRole('button', { name: 'Take back: echo one, all chats of this folder' }).click();
    await panel.frame.getByRole('button', { name: 'Take back: echo one, all chats of this folder' }).waitFor({ state: 'detached' });
    await panel.frame.getByRole('region', { name: 'Context of this chat' }).getByRole('button', { name: 'Close' }).click();
    await panel.send(run('echo one'));
    await panel.answer(COMMAND, 'Once');
    await panel.idle();
  });

  it('complete a task of ten calls; the two files that they wrote are restored when the message is edited', async () => {
    await panel.newChat();
    await panel.send(
      [
        own('list_files', {}),
        own('read_file', { path: 'tides.md' }),
        own('edit_file', { path: 'tides.md', old_text: '10:25', new_text: '10:31' }),
        own('edit_file', { path: 'high.md', old_text: '', new_text: 'High water at 04:12\n' }),
        own('read_file', { path: 'high.md' }),
        own('search_text', { query: 'water' }),
        own('edit_file', { path: 'high.md', old_text: '04:12', new_text: '04:15' }),
        own('read_file', { path: 'tides.md' }),
        own('run_command', { command: 'echo done' }),
        own('list_files', {}),
      ].join('\n'),
    );
    // All reading is one question.
    await panel.answer(READING, 'Once');
    await allow('edit_file');
    await panel.answer(COMMAND, 'Once');
    await panel.idle();
    assert.equal(await readFile(join(folder, 'tides.md'), 'utf8'), 'Low water at 10:31\n');
    assert.equal(await readFile(join(folder, 'high.md'), 'utf8'), 'High water at 04:15\n');
    await panel.log.getByRole('button', { name: /^10 steps · 2 files read · 2 edited · 1 command/ }).click();
    await panel.log.getByRole('button', { name: 'Show the change' }).click();
    await workbench.page.getByRole('tab', { name: /^2 files \(changes by the assistant\)/ }).waitFor();
    await panel.log.getByRole('button', { name: 'Undo all' }).click();
    await panel.log.getByRole('button', { name: /2 undone/ }).waitFor();
    assert.equal(await readFile(join(folder, 'tides.md'), 'utf8'), 'Low water at 10:25\n');
    await assert.rejects(readFile(join(folder, 'high.md')));
    await workbench.page.getByRole('button', { name: 'Redo', exact: true }).click();
    await panel.log.getByRole('button', { name: /2 edited/ }).waitFor();
    assert.equal(await readFile(join(folder, 'high.md'), 'utf8'), 'High water at 04:15\n');
    await panel.log.getByRole('article', { name: 'You' }).first().hover();
    await panel.log.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Edit' }).click();
    const offer = panel.frame.getByRole('group', { name: 'Files written since this message' });
    await offer.getByRole('checkbox', { name: 'Also restore 2 files' }).waitFor();
    await panel.sendAndWait('/long 3');
    assert.equal(await readFile(join(folder, 'tides.md'), 'utf8'), 'Low water at 10:25\n');
    await assert.rejects(readFile(join(folder, 'high.md')));
  });

  it('have what they wrote undone file by file, and restored before a retry, which then finds it as it was', async () => {
    await panel.newChat();
    const low = own('edit_file', { path: 'ebb.md', old_text: '10:25', new_text: '10:31' });
    await panel.send(low);
    const question = panel.log.getByRole('group', { name: 'Allow edit_file?' });
    await question.getByText('+1 −1').waitFor();
    await allow('edit_file');
    await panel.idle();
    const rows = panel.log.getByRole('list', { name: 'Files written (1)' });
    const openRow = async (): Promise<void> => {
      await panel.log
        .getByRole('button', { name: /^1 step/ })
        .last()
        .click();
      await panel.log.locator('.tool-call .step').last().click();
    };
    await openRow();
    await rows.last().getByRole('button', { name: 'Undo ebb.md' }).click();
    await rows.last().getByText('undone').waitFor();
    assert.equal(await readFile(join(folder, 'ebb.md'), 'utf8'), 'Low water at 10:25\n');
    await panel.sendAndWait(low);
    assert.equal(await readFile(join(folder, 'ebb.md'), 'utf8'), 'Low water at 10:31\n');
    // In a panel this narrow, *Retry* is in the menu of the reply.
    await panel.log.getByRole('article', { name: 'Assistant' }).last().getByRole('button', { name: 'More', exact: true }).click();
    await panel.frame.getByRole('menuitem', { name: /^Retry/ }).click();
    const asked = panel.frame.getByRole('group', { name: 'Retry this message?' });
    await asked.getByRole('checkbox', { name: 'Also restore 1 file' }).waitFor();
    await asked.getByRole('button', { name: 'Retry' }).click();
    await asked.waitFor({ state: 'detached' });
    await panel.log.getByText(/^Retry · \d+ messages? on another branch/).waitFor();
    await panel.idle();
    await openRow();
    await rows.last().locator('.is-applied').waitFor();
    assert.equal(await panel.log.getByText('not applied').count(), 0);
    await workbench.runCommand('loupe.retry');
    await asked.getByRole('checkbox', { name: 'Also restore 1 file' }).waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    assert.equal(await readFile(join(folder, 'ebb.md'), 'utf8'), 'Low water at 10:31\n');
  });

  it('read a file with secrets only after a question, even if the tool is allowed', async () => {
    const path = join(folder, 'harbour.pem');
    await writeFile(path, 'the-harbour-key\n');
    try {
      await panel.newChat();
      await panel.send([own('read_file', { path: 'tides.md' }), own('read_file', { path: 'harbour.pem' })].join('\n'));
      await panel.answer(READING, 'This chat');
      const question = panel.log.getByRole('group', { name: 'Let it read harbour.pem?' });
      await question.getByText('It usually has passwords or keys, and goes to the model provider.').waitFor();
      await question.getByRole('button', { name: 'Refuse' }).click();
      await panel.log.getByRole('group', { name: 'Refuse read_file?' }).getByRole('button', { name: 'Refuse', exact: true }).click();
      await panel.idle();
      const said = JSON.stringify((await latestChat(workbench)).messages);
      assert.ok(said.includes('the user refused this call') && !said.includes('the-harbour-key'), said);
    } finally {
      await rm(path);
    }
  });
});
