import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { type ChatPanel, openUsage, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-key';
const PRICES = { input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25, cacheWrite1h: 10 };

describe('the tab Usage', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    server = await startCachingServer({ key: KEY, models: [{ id: 'm' }], reply: () => ({ parts: [{ type: 'text', text: 'Ebb.' }] }) });
    ({ workbench, panel } = await sharedWorkbench());
    const models = [{ id: 'm', maxInputTokens: 50_000, maxOutputTokens: 1_000, prices: PRICES, capabilities: { countsTokens: false } }];
    await workbench.runCommand('loupe.addProvider', { id: 'tides', protocol: 'anthropic', baseUrl: server.url, models }, KEY);
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  async function newChat(): Promise<void> {
    const chatId = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'tides/m', { chatId });
  }

  it('opens from the cost in the header with the turns of the chat, then shows all chats, follows what is sent, and opens a request', async () => {
    await newChat();
    await panel.sendAndWait('When is ebb?');
    await newChat();
    await panel.sendAndWait('When is flood?');
    await panel.sendAndWait('And tomorrow?');
    await panel.frame.getByRole('button', { name: /^This chat \$.* Show usage$/ }).click();
    const usage = await openUsage(workbench.page);
    const rows = (): Locator => usage.locator('.requests tbody tr.opens');
    const newest = (): Promise<string> => rows().first().innerText();
    const turns = usage.getByRole('radio', { name: 'Turns' });
    await usage.getByText(/^\s*\$0\.\d+ in 2 turns\./).waitFor();
    assert.equal(await turns.getAttribute('aria-checked'), 'true');
    assert.equal(await usage.getByRole('group', { name: 'Input tokens by turn' }).getByRole('button').count(), 2);
    assert.match(await newest(), /^2\s+.*And tomorrow\?.*\$0\.\d+$/s);
    await panel.sendAndWait('And on Sunday?');
    await waitFor('the new turn', async () => /^3\s+.*And on Sunday\?/s.test(await newest()) || undefined);
    await turns.focus();
    await workbench.page.keyboard.press('ArrowLeft');
    await usage
      .locator('.verdict')
      .getByText(/ this month\./)
      .waitFor();
    await usage.getByRole('button', { name: 'Remove the filter When is flood?' }).click();
    await waitFor('the other chat', async () => (await rows().count()) > 3 || undefined);
    const before = await newest();
    await panel.sendAndWait('And on Monday?');
    await waitFor('the new request', async () => (await newest()) !== before || undefined);
    await rows().getByRole('button').first().press('Enter');
    await workbench.page.getByRole('tab', { name: 'Request Inspector' }).waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });
});
