import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../support/paths.mjs';
import { ChatPanel, openLoupe, QuickInput, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const SERVERS = { everything: { command: process.execPath, args: [SERVER] }, unfinished: {} };

describe('what a server offers beside tools, in the panel', () => {
  let folder: string;
  let workbench: Workbench;
  let panel: ChatPanel;
  let quickInput: QuickInput;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    quickInput = new QuickInput(workbench.page);
    folder = join(workbench.workspaceDir, '.vscode');
    await mkdir(folder);
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers: SERVERS }));
    await (await openTools()).getByRole('checkbox', { name: /^everything, stopped/ }).waitFor();
  });

  after(() => rm(folder, { recursive: true }));

  beforeEach(() => panel.newChat());

  async function openTools(): Promise<Locator> {
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    const tools = pane.getByRole('button', { name: /^Tools/ });
    if ((await tools.getAttribute('aria-expanded')) === 'false') await tools.click();
    return pane;
  }

  const question = (server: string): Locator => panel.frame.getByRole('group', { name: `Start the server "${server}"?` });
  /** Opens a question, because Loupe starts no server whose command the user could not see, and starts the server. */
  async function start(server: string): Promise<void> {
    await question(server).locator('.tool-line').press('Enter');
    // By key, because the list closes at a click outside, which moves the question.
    await question(server).getByRole('button', { name: 'Start', exact: true }).press('Enter');
  }

  const option = (name: string): Locator => panel.frame.getByRole('option', { name });

  it('has its prompts behind a /: the text goes into the message box, to be edited and sent', async () => {
    await panel.composer.click();
    await workbench.page.keyboard.type('/args');
    await option('everything').waitFor();
    assert.equal(await question('everything').count(), 0, 'typing starts nothing');
    await workbench.page.keyboard.press('Enter');
    await start('everything');
    await workbench.page.keyboard.press('End');
    await option('everything:args-prompt').waitFor();
    await workbench.page.keyboard.press('Enter');
    await quickInput.asked('Name of the city');
    await quickInput.confirm();
    await quickInput.asked('Enter a value.');
    await quickInput.type('Oslo');
    await quickInput.asked('optional');
    await quickInput.confirm();
    await waitFor('the text of the prompt', async () => (await panel.composer.inputValue()) === "What's weather in Oslo?" || undefined);
    await waitFor('the focus', () => panel.frame.evaluate(() => document.activeElement?.localName === 'vscode-text-area' || undefined));
    await workbench.page.keyboard.type(' And in Bergen?');
    await workbench.page.keyboard.press('Enter');
    await panel.articles('You').filter({ hasText: "What's weather in Oslo? And in Bergen?" }).waitFor();
    await panel.idle();
    // Text that is no prompt is sent unchanged.
    await panel.sendAndWait('/long 3');
  });

  it('starts again from the list after a failure, at once, and has its log there', async () => {
    const flag = join(folder, 'flag');
    const script = `if (!require('node:fs').existsSync(${JSON.stringify(flag)})) process.exit(3); import(${JSON.stringify(SERVER)})`;
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers: { late: { command: process.execPath, args: ['-e', script] } } }));
    await (await openTools()).getByRole('checkbox', { name: /^late, stopped/ }).waitFor();
    await panel.button('Close').click();
    await panel.composer.click();
    await workbench.page.keyboard.type('/late');
    await option('late').waitFor();
    await workbench.page.keyboard.press('Enter');
    await start('late');
    await panel.composer.click();
    await workbench.page.keyboard.press('End');
    await panel.frame.locator('.mention-note', { hasText: 'late: The server stopped when it started, with code 3.' }).waitFor();
    await option('late show why the server does not run').click();
    await workbench.page.locator('.tab.active', { hasText: 'late log.txt' }).waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await writeFile(flag, '');
    await panel.composer.click();
    await panel.composer.fill('');
    await workbench.page.keyboard.type('/late');
    await option('late failed. Start the server again to see its prompts').click();
    await option('late:args-prompt').waitFor();
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers: SERVERS }));
  });

  it('holds a message that waits for its start, until the user sends it without', async () => {
    const quiet = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers: { ...SERVERS, quiet } }));
    await (await openTools()).getByRole('checkbox', { name: /^quiet, stopped/ }).waitFor();
    await panel.button('Close').click();
    await panel.send('/long 2');
    await start('quiet');
    await panel.frame.locator('.strip', { hasText: 'Waiting for quiet…' }).waitFor();
    await panel.button('Send without waiting').click();
    await panel.articles('Assistant').last().waitFor();
    await panel.idle();
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers: SERVERS }));
  });

  it('has its resources behind an @: one is read when a message is sent, and stands among the references; a mistake in its file is one click away', async () => {
    await panel.composer.click();
    // The whole name, because a tool of VS Code has the letters of `architecture` in its name, too.
    await workbench.page.keyboard.type('See @architecture.md');
    await option('architecture.md').waitFor();
    await workbench.page.keyboard.press('Enter');
    await panel.unfoldItems();
    const chip = panel.frame.locator('.chip-open', { hasText: 'architecture.md' });
    await chip.waitFor();
    await chip.click();
    await workbench.page.locator('.tab.active', { hasText: 'architecture.md' }).waitFor();
    await workbench.page.getByText('Everything Server').first().waitFor();
    await panel.sendAndWait('What does it say?');
    const reply = panel.articles('Assistant').last();
    await reply.getByRole('button', { name: 'Context used' }).click();
    const used = reply.getByRole('group', { name: 'References (1)' });
    await used.getByText('everything:demo://resource/static/document/architecture.md').first().waitFor();
    await panel.unfoldItems();
    const remove = panel.button('Remove everything:demo://resource/static/document/architecture.md');
    await remove.click();
    await chip.filter({ hasText: 'still sent' }).waitFor();
    await remove.click();
    await chip.waitFor({ state: 'detached' });
    const pane = await openTools();
    await pane.getByText('.vscode/mcp.json, server "unfinished": The server needs "command" or "url".').waitFor();
    await pane.getByRole('button', { name: 'Open .vscode/mcp.json' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'mcp.json' }).waitFor();
    await panel.button('Close').click();
  });

  it('asks the user by forms and pages, also while the panel is hidden', async () => {
    const call = (tool: string, args: object): string => `/tool everything__${tool} ${JSON.stringify(args)}`;
    const allow = (tool: string): Promise<void> => panel.answer(`Allow everything:${tool}?`, 'This chat');
    const form = call('trigger-elicitation-request', {});
    await panel.send(form);
    await allow('trigger-elicitation-request');
    await quickInput.asked('MCP server "everything" asks');
    await quickInput.asked('Please provide inputs for the following fields');
    await panel.log.getByText('needs your answer').first().waitFor();
    await panel.log.getByText('everything has a question for you at the top of the window.').waitFor();
    await quickInput.pick('Answer');
    await quickInput.asked('(2/14)');
    await quickInput.type('Ada');
    for (let step = 3; step <= 14; step += 1) {
      await quickInput.asked(`(${String(step)}/14)`);
      await quickInput.confirm();
    }
    await panel.idle();
    await panel.articles('Assistant').last().getByText('User provided the requested information').waitFor();
    await workbench.runCommand('workbench.action.closeAuxiliaryBar');
    await panel.gone();
    const sent = workbench.runCommand('loupe.sendMessage', form);
    await quickInput.asked('Please provide inputs for the following fields');
    await quickInput.pick('Refuse');
    await sent;
    await workbench.runCommand('loupe.chat.focus');
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.articles('Assistant').last().getByText('User declined').first().waitFor({ state: 'attached' });
    await panel.send(call('trigger-url-elicitation', { url: 'https://example.com/login' }));
    await allow('trigger-url-elicitation');
    await quickInput.asked('Please open the link to complete this action.');
    await quickInput.row('https://example.com/login').waitFor();
    await quickInput.pick('Refuse');
    await panel.idle();
    await panel.articles('Assistant').last().getByText('User declined').first().waitFor({ state: 'attached' });
  });
});
