import assert from 'node:assert/strict';
import axe from 'axe-core';
import { ChatPanel, extensionHosts, latestChat, openLoupe, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';
import { ChatFiles, storageFolder } from '../support/workbench/storageFaults.js';

describe('chats whose files were damaged while VS Code was closed', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let damagedLine: number;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    const headless = await chatOf('/long 2');
    const damaged = await chatOf('/long 3');
    await workbench.page.close();
    for (const pid of extensionHosts(workbench.server)) process.kill(pid);
    await waitFor('the end of the window', () => (extensionHosts(workbench.server).length === 0 ? true : undefined));
    headless.flip(1);
    damagedLine = damaged.lineCount;
    damaged.tearLastLine();
    panel = new ChatPanel(await openLoupe(await workbench.restartPage()));
    await panel.articles('Assistant').filter({ hasText: 'Practice text that.' }).waitFor();
  });

  async function chatOf(text: string): Promise<ChatFiles> {
    await panel.composer.waitFor();
    await panel.button('New chat').click();
    await panel.articles('You').first().waitFor({ state: 'detached' });
    await panel.sendAndWait(text);
    return new ChatFiles(storageFolder(workbench), (await latestChat(workbench)).id);
  }

  it('show the rest, and a badge that names the line and opens to the reason', async () => {
    const badge = panel.button(`Damaged: line ${damagedLine}`);
    await badge.press('Enter');
    await panel.region('What is damaged').getByText(`Line ${damagedLine}: it was cut off`).waitFor();
    assert.deepEqual(await axeFaults(), []);
    await badge.press('Enter');
    await panel.region('What is damaged').waitFor({ state: 'detached' });
  });

  it('are in the list when they cannot be read, with the reason and without figures, and say so when they are opened', async () => {
    await panel.button('Switch chat').click();
    const row = panel.region('Chat list').getByRole('button').filter({ hasText: 'Unreadable chat' });
    assert.match(await row.innerText(), /its first line is missing or damaged\.$/);
    assert.deepEqual(await axeFaults(), []);
    await row.click();
    await panel.frame.getByRole('alert').filter({ hasText: 'This chat cannot be read' }).waitFor();
    assert.equal(await panel.articles('You').filter({ hasText: '/long 3' }).count(), 1, 'the chat on show stays');
  });

  async function axeFaults(): Promise<string[]> {
    await panel.frame.evaluate(axe.source);
    const { violations } = await panel.frame.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run('loupe-chat'));
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }
});
