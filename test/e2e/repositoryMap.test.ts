import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ApiPreview, ApiRequest } from '../../src/protocol/api/api.js';
import { ChatPanel, latestChat, latestReply, openLoupe, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { openSettings } from '../support/workbench/openSettings.js';

describe('the repository map in a real window', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
    panel = new ChatPanel(await openLoupe(workbench.page));
    await panel.newChat();
    // Notifications of earlier tests can cover the panel.
    await workbench.runCommand('notifications.clearAll');
  });

  it('is switched on in the settings, omits a folder with one click, and is sent as shown', async () => {
    const { frame } = panel;
    await openSettings(frame);
    await frame.getByRole('button', { name: 'Repository map', exact: true }).click();
    await frame.getByRole('combobox', { name: 'Repository map' }).click();
    await frame.getByRole('option', { name: 'File tree and definitions' }).click();
    await frame.getByRole('region', { name: 'Chat settings' }).getByRole('button', { name: 'Close' }).click();
    await panel.composer.fill('Where are the gauges?');
    await frame.getByRole('button', { name: /^Next request/ }).click();
    const group = frame.getByRole('group', { name: /^Repository map/ });
    await group.waitFor();
    await group.getByRole('button', { name: /^Repository map/ }).click();
    await group.getByRole('checkbox', { name: 'Send File tree' }).waitFor();
    const folder = group.getByRole('checkbox', { name: 'Send src/', exact: true });
    await folder.waitFor();
    await folder.click();
    await folder.waitFor({ state: 'detached' });
    const { id, config } = await latestChat(workbench);
    assert.equal(config['repositoryWithout'], 'src/');
    await frame.getByRole('button', { name: 'Undo' }).click();
    await folder.waitFor();
    await waitFor('the tokens', async () => (/\d/.test((await group.textContent()) ?? '') ? true : undefined));
    const preview = (await workbench.api('previewNextRequest', id)) as ApiPreview;
    assert.match(preview.body, /# Repository Structure/);
    await panel.sendAndWait('Where are the gauges?');
    const request = (await workbench.api('getRequest', id, (await latestReply(workbench)).id)) as ApiRequest;
    assert.deepEqual([request.exact, request.body], [true, preview.body]);
  });

  it('is switched in the context of the chat, as a whole and by folder', async () => {
    const { frame } = panel;
    await panel.newChat();
    // An open next request has this button, too.
    await frame.getByRole('button', { name: 'Manage context' }).last().click();
    const section = frame.getByRole('region', { name: 'Context of this chat' }).getByRole('group', { name: /^Repository map/ });
    const box = (name: string): Locator => section.getByRole('checkbox', { name, exact: true });
    await box('Definitions').press('Space');
    await box('src/').waitFor();
    assert.deepEqual([await box('File tree').isChecked(), await box('Definitions').isChecked()], [true, true]);
    await box('src/').press('Space');
    await waitFor('the omitted folder', async () => !(await box('src/').isChecked()) || undefined);
    assert.equal((await latestChat(workbench)).config['repositoryWithout'], 'src/');
    await box('src/').press('Space');
    await waitFor('the folder', async () => (await box('src/').isChecked()) || undefined);
    await box('File tree').press('Space');
    await box('src/').waitFor({ state: 'detached' });
    assert.equal((await latestChat(workbench)).config['repositoryMap'], 'off');
    await frame.getByRole('button', { name: 'Undo' }).click();
    await box('src/').waitFor();
    await frame.getByRole('region', { name: 'Context of this chat' }).getByRole('button', { name: 'Close' }).click();
  });
});
