import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import { makeTempFolder } from '../support/server.mjs';
import { ChatPanel, type latestChat, openLoupe, startWorkbench, type Workbench } from '../support/workbench/index.js';

/** Front matter without the quotes that YAML needs, and front matter that Loupe cannot read. */
const RULES = {
  unquoted: '---\napplyTo: [**]\n---\nHeights are metres.',
  alias: '---\ndescription: &tides Tides\napplyTo: *tides\n---\nTimes are UTC.',
};

describe('Loupe in a workspace that is not an open, trusted folder', () => {
  let workbench: Workbench;
  let trace: string;

  before(async () => {
    const workspaceDir = makeTempFolder();
    mkdirSync(join(workspaceDir, '.vscode'));
    const settings = { 'loupe.defaults.systemPrompt': 'Obey the workspace', 'loupe.defaults.reservedResponseTokens': 99 };
    writeFileSync(join(workspaceDir, '.vscode', 'settings.json'), JSON.stringify(settings));
    writeFileSync(join(workspaceDir, 'AGENTS.md'), 'Obey the workspace');
    mkdirSync(join(workspaceDir, '.github', 'instructions'), { recursive: true });
    for (const [name, text] of Object.entries(RULES)) {
      writeFileSync(join(workspaceDir, '.github', 'instructions', `${name}.instructions.md`), text);
    }
    // A process that leaves a trace.
    trace = join(workspaceDir, 'started');
    const command = { command: process.execPath, args: ['-e', 'fs.writeFileSync(process.argv[1], "")', trace] };
    writeFileSync(join(workspaceDir, '.vscode', 'mcp.json'), JSON.stringify({ servers: { tracing: command } }));
    workbench = await startWorkbench({ workspaceDir, settings: { 'security.workspace.trust.enabled': true } });
  });

  after(async () => {
    await workbench.close();
  });

  it('works in Restricted Mode, takes neither system prompt nor rules from the workspace, and starts no server of it', async () => {
    const panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.button('New chat').click();
    await workbench.runCommand('loupe.newChat');
    const id = (await workbench.api('newChat')) as string;
    const chat = (await workbench.api('getChat', id)) as Awaited<ReturnType<typeof latestChat>>;
    assert.equal(chat.config['reservedResponseTokens'], 99, 'other settings of the workspace hold');
    assert.equal(chat.config['systemPrompt'], '');
    assert.doesNotMatch(((await workbench.api('previewNextRequest', id)) as ApiPreview).body, /Obey the workspace/);
    // The command can have reloaded the view.
    const shown = new ChatPanel(await openLoupe(workbench.page));
    await shown.sendAndWait('Does it work?');
    await shown.articles('Assistant').last().waitFor();
    assert.equal(existsSync(trace), false);
  });

  it('says what Restricted Mode switches off, and has the rules once the folder is trusted', async () => {
    // At its old place, a tooltip of VS Code could cover the panel's buttons.
    await workbench.page.mouse.move(0, 0);
    const panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.newChat();
    const notice = /In Restricted Mode, Loupe uses no tools, and no rules, references, skills or agents of this folder\./;
    await panel.region('Next request').getByText(notice).waitFor();
    await workbench.runCommand('loupe.manageContext');
    const pane = panel.region('Context of this chat');
    await pane
      .getByText(/^In Restricted Mode, Loupe reads no /)
      .first()
      .waitFor();
    await pane.getByText('No tool runs in Restricted Mode.').waitFor();
    await pane.getByRole('button', { name: 'Trust this folder' }).click();
    await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await pane.getByText(notice).waitFor({ state: 'detached' });
    await pane.getByRole('checkbox', { name: 'AGENTS.md [Always]' }).waitFor();
    await workbench.runCommand('workbench.action.closeModalEditor');
    await workbench.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    // It is on a button of VS Code, whose tooltip could cover the panel's.
    await workbench.page.mouse.move(0, 0);
    await panel.newChat();
    await panel.unfoldItems();
    await panel.frame.locator('.chip-open', { hasText: 'AGENTS.md' }).waitFor();
    assert.equal(await panel.frame.getByText(notice).count(), 0);
    await panel.frame.getByRole('button', { name: 'Next request', exact: true }).click();
    await panel
      .region('Next request')
      .getByText(/alias\.instructions\.md.*Loupe does not read anchors, aliases and tags/)
      .waitFor();
    await panel.send('And now?');
    const question = panel.frame.getByRole('group', { name: 'Start the server "tracing"?' });
    await question.getByText(trace).waitFor();
    assert.equal(existsSync(trace), false, 'no command of a folder runs unasked');
    await question.locator('.tool-line').click();
    await question.getByRole('button', { name: 'Start', exact: true }).click();
    await panel.articles('Assistant').last().waitFor();
    await panel.idle();
    assert.ok(existsSync(trace), 'its server was needed');
  });

  it('offers to open a folder in a window that has none, and suggests nothing about files', async () => {
    const page = await workbench.openWindow('ew=true');
    const panel = new ChatPanel(await openLoupe(page));
    await panel.add('Add files…');
    const notice = page.locator('.notification-list-item').filter({ hasText: 'Open a folder to add files.' });
    await notice.getByRole('button', { name: 'Open Folder' }).waitFor();
    const suggested = await panel.frame.getByRole('list', { name: 'Things to try' }).innerText();
    assert.ok(!/file/i.test(suggested), suggested);
    await workbench.closeOtherWindows();
  });
});
