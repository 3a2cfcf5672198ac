import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { latestChat, openUsage, sharedWorkbench, waitFor } from '../support/workbench/index.js';

describe('the tab Usage', () => {
  it('shows the chat that it was opened for, then all chats, follows what is sent, and opens a request', async () => {
    const { workbench, panel } = await sharedWorkbench();
    await panel.sendAndWait('/long 20');
    await panel.newChat();
    await panel.sendAndWait('/long 30');
    await workbench.runCommand('loupe.showUsage', (await latestChat(workbench)).id);
    const usage = await openUsage(workbench.page);
    const rows = (): Locator => usage.locator('.requests tbody tr');
    const newest = (): Promise<string> => rows().first().innerText();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 1);
    assert.match(await usage.locator('.verdict').innerText(), /tokens in and .+ out this week\. These tokens were not billed\./);
    await usage.getByRole('button', { name: 'Remove the filter /long 30' }).click();
    await waitFor('the other chat', async () => (await rows().count()) > 1 || undefined);
    const before = await newest();
    await panel.sendAndWait('/long 5');
    await waitFor('the new request', async () => (await newest()) !== before || undefined);
    await rows().getByRole('button').first().press('Enter');
    await workbench.page.getByRole('tab', { name: 'Request Inspector' }).waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });
});
