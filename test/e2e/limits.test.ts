import assert from 'node:assert/strict';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { type ChatPanel, latestChat, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-key';
/** So expensive that each message costs some cents, and about the same whether the cache is used or not. */
const PRICES = { input: 500, output: 1_000, cacheRead: 500, cacheWrite5m: 500, cacheWrite1h: 500 };
const SETTINGS = { 'loupe.spend.askAbove': null, 'loupe.spend.capPerDay': null };

describe('the limits in the menu of a chat', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    server = await startCachingServer({ key: KEY, models: [{ id: 'm' }], reply: () => ({ parts: [{ type: 'text', text: 'Ebb.' }] }) });
    ({ workbench, panel } = await sharedWorkbench());
    const models = [{ id: 'm', maxInputTokens: 50_000, maxOutputTokens: 1_000, prices: PRICES, capabilities: { countsTokens: false } }];
    await workbench.runCommand('loupe.addProvider', { id: 'dear', protocol: 'anthropic', baseUrl: server.url, models }, KEY);
    await workbench.updateSettings(SETTINGS);
  });

  after(async () => {
    const unset: Readonly<Record<string, undefined>> = Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, undefined]));
    await workbench.updateSettings({ ...unset, 'loupe.providers': undefined });
    await server.stop();
  });

  async function newChat(): Promise<void> {
    const chatId = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'dear/m', { chatId });
  }

  /** Sets a limit by the keyboard, from the chat's menu to the message box. */
  async function setLimit(name: string, text: string, shown: string): Promise<void> {
    await panel.frame.getByRole('button', { name: 'Chat menu' }).click();
    await panel.frame.getByRole('menuitem', { name: /^Limits…/ }).click();
    const limits = panel.frame.getByRole('dialog', { name: 'Limits' });
    const field = limits.getByRole('textbox', { name });
    await field.fill(text);
    await field.press('Enter');
    await limits.getByText(`${name}: ${shown === '' ? 'none' : shown}. Saved.`).waitFor({ state: 'attached' });
    await waitFor('the limit in its field', async () => (await field.inputValue()) === shown || undefined);
    await field.press('Escape');
    await limits.waitFor({ state: 'detached' });
  }

  const replies = async (): Promise<number> => (await latestChat(workbench)).messages.filter(({ role }) => role === 'assistant').length;

  it('make Send ask about a dear request, which is sent only after the answer', async () => {
    await newChat();
    await panel.sendAndWait('When is ebb?');
    await setLimit('Ask before a request above', '0.001', '$0.001');
    const sent = server.requests.length;
    await panel.send('And flood?');
    const question = panel.frame.getByRole('group', { name: /^This request costs ≈ \$[\d.]+ with reply\. Send the request\?$/ });
    await question.getByText('This is above your limit of $0.001').waitFor();
    assert.equal(server.requests.length, sent);
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    await waitFor('the second reply', async () => (await replies()) === 2 || undefined);
    assert.ok(server.requests.length > sent);
  });

  it('stop a chat that has spent its limit, until the limit is taken away', async () => {
    await setLimit('Ask before a request above', 'none', '');
    await setLimit('Stop this chat at', '$0.01', '$0.01');
    await panel.send('And high tide?');
    const question = panel.frame.getByRole('group', { name: /^This request costs ≈/ });
    await question.getByText(/^This chat has spent \$[\d.]+; its cap is \$0\.01\./).waitFor();
    await question.getByRole('button', { name: 'Do not send' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await replies(), 2);
    await setLimit('Stop this chat at', '', '');
    await panel.sendAndWait('And high tide?');
    assert.equal(await replies(), 3);
  });
});
