import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import {
  ChatPanel,
  openInspector,
  openLoupe,
  openUsage,
  QuickInput,
  sharedWorkbench,
  uriArgument,
  waitFor,
} from '../support/workbench/index.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { LongChat } from '../support/workbench/longChat.js';

/** It opens a second window. */
const REOPENED_MS = 3 * 60_000;

const HOUR = 3_600_000;

const KEY = 'the-key-of-the-house';
/** Enough for a restore point. */
const MESSAGES = 2_000;

const LIMIT_TOKENS = 80_000;
const LEFT_TOKENS = 12_400;
const LEFT = /12,400 of 80,000 tokens left, limit resets at \d\d:\d\d/;

const LAST_REQUEST = /^Request (1,?001) of \1$/;

describe('Loupe after a restart of VS Code', () => {
  let provider: CachingServer;

  before(async () => {
    provider = await startCachingServer({
      key: KEY,
      models: [{ id: 'm', label: 'House', maxInputTokens: 200_000, maxOutputTokens: 8_000 }],
      reply: () => ({
        parts: [{ type: 'text', text: 'Ebb.' }],
        headers: {
          'anthropic-ratelimit-tokens-limit': String(LIMIT_TOKENS),
          'anthropic-ratelimit-tokens-remaining': String(LEFT_TOKENS),
          'anthropic-ratelimit-tokens-reset': new Date(Date.now() + HOUR).toISOString(),
        },
      }),
    });
  });

  after(() => provider.stop());

  it('shows the chat, its files, the inspector and rate limits as they were, and still has the key of a provider', async () => {
    const { workbench, panel } = await sharedWorkbench();
    const models = [{ id: 'm', maxInputTokens: 200_000, maxOutputTokens: 8_000 }];
    await workbench.updateSettings({ 'loupe.providers': [{ id: 'house', protocol: 'anthropic', baseUrl: provider.url, models }] });
    await workbench.runCommand('loupe.setApiKey', 'house', KEY);
    const limited = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'house/m', { chatId: limited });
    await workbench.api('sendMessage', 'When is ebb?', { chatId: limited });
    const chat = await LongChat.write(workbench, MESSAGES, (message) => (message === 0 ? 'The chat before' : 'Yes'));
    await panel.button('Switch chat').click();
    await panel.region('Chat list').getByRole('button').filter({ hasText: 'The chat before' }).click();
    await panel.frame.getByRole('heading', { name: 'The chat before' }).waitFor();
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'README.md'));
    await panel.unfoldItems();
    await panel.frame.getByRole('button', { name: 'Remove README.md' }).waitFor();
    await panel.sendAndWait('/long 3');
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    const inspector = await openInspector(workbench.page);
    await inspector.getByRole('heading', { level: 1, name: LAST_REQUEST }).waitFor();
    await waitFor(
      'VS Code to keep the open editors',
      async () => (await keepsInspector(workbench.page, basename(chat.folder))) || undefined,
    );
    const all = `"messages":${String(MESSAGES + 2)}`;
    await waitFor('what is derived from all of the log', () => readFileSync(chat.row, 'utf8').includes(all) || undefined);

    const made = madeAt(chat.restorePoint);
    const shown = new ChatPanel(await openLoupe(await workbench.restartServer()));
    await shown.frame.getByRole('heading', { name: 'The chat before' }).waitFor();
    await shown.articles('You').filter({ hasText: '/long 3' }).waitFor();
    await shown.unfoldItems();
    await shown.frame.getByRole('button', { name: 'Remove README.md' }).waitFor();
    assert.equal(await shown.log.getByRole('article').count(), 50);
    await shown.button(`Show earlier messages (${(MESSAGES + 2 - 50).toLocaleString('en-US')})`).waitFor();
    const again = await openInspector(workbench.page);
    await again.getByRole('heading', { level: 1, name: LAST_REQUEST }).waitFor();
    await again.getByRole('tabpanel').waitFor();
    assert.equal(madeAt(chat.restorePoint), made, 'the restore point was not made anew: it could be used');
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.runCommand('loupe.showUsage');
    const usage = await openUsage(workbench.page);
    await usage.getByRole('region', { name: 'Rate limits' }).getByText(LEFT).waitFor();
    const choosing = workbench.runCommand('loupe.selectModel');
    await new QuickInput(workbench.page).widget.getByText(LEFT).waitFor();
    await workbench.page.keyboard.press('Escape');
    await choosing;
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.updateSettings({ 'loupe.defaults.model': 'house/m' });
    await shown.newChat();
    await shown.sendAndWait('Are you there?');
    assert.deepEqual(provider.requests.map(({ key }) => key).slice(-1), [KEY]);
    await workbench.updateSettings({ 'loupe.providers': undefined, 'loupe.defaults.model': undefined });
  }).timeout(REOPENED_MS);
});

/** VS Code in a browser saves the open editors every five seconds. */
function keepsInspector(page: Page, chatId: string): Promise<boolean> {
  return page.evaluate(async (id) => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
        request.onerror = () => {
          reject(new Error('The storage of VS Code cannot be read'));
        };
      });
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db-')) continue;
      const storage = await done(indexedDB.open(name));
      const [table = ''] = storage.objectStoreNames;
      const values = await done(storage.transaction(table).objectStore(table).getAll());
      storage.close();
      if (values.some((value) => String(value).includes('loupe.inspector') && String(value).includes(id))) return true;
    }
    return false;
  }, chatId);
}

/** Epoch milliseconds. Derived files are replaced, never written to. */
function madeAt(path: string): number {
  return statSync(path).mtimeMs;
}
