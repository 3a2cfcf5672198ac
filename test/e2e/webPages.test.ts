import assert from 'node:assert/strict';
import type { ApiRequest } from '../../src/protocol/api/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { PageServer } from '../support/http/pageServer.js';
import { type ChatPanel, latestChat, latestReply, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

const KEY = 'key-of-the-peer';
const MODELS = [{ id: 'peer-model', label: 'Peer model', maxInputTokens: 200_000, maxOutputTokens: 8_000 }];

function tides(height: string): string {
  const words = 'The tide rises twice a day, and the gauge at the quay measures it. '.repeat(8);
  return `<html><head><title>Tides at the quay</title></head><body><nav>Menu</nav><article><h1>Tides</h1><p>${words}</p><p>High water: ${height}.</p></article></body></html>`;
}

describe('web pages in a chat', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let pages: PageServer;
  let peer: CachingServer;

  before(async () => {
    pages = await PageServer.start({});
    peer = await startCachingServer({ key: KEY, models: MODELS });
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.updateSettings({
      'loupe.providers': [{ id: 'peer', protocol: 'anthropic', baseUrl: peer.url, models: MODELS }],
    });
    await workbench.runCommand('loupe.setApiKey', 'peer', KEY);
  });

  beforeEach(async () => {
    pages.page('/tides', tides('4.2 m'), 'text/html; charset=utf-8', {});
    await panel.newChat();
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await peer.stop();
    await pages.stop();
  });

  const add = (address: string): Promise<unknown> => workbench.runCommand('loupe.addUrlToContext', address);

  it('sends the page that the user added, after the only question for the port of an address on this computer', async () => {
    await workbench.runCommand('loupe.selectModel', 'peer/peer-model');
    const address = pages.url('/tides');
    const added = add(address);
    const dialog = workbench.page.getByRole('dialog').filter({ hasText: `Open 127.0.0.1:${String(pages.port)}?` });
    await dialog.getByRole('button', { name: 'Open' }).click();
    await added;
    const row = panel.frame.getByRole('list', { name: 'With this message' }).getByText('Tides at the quay');
    await row.waitFor();
    await panel.sendAndWait('When is high water?');
    await panel.unfoldItems();
    await panel.frame.locator('.chip', { hasText: 'Tides at the quay' }).waitFor();
    assert.equal(await row.count(), 0);
    const received = peer.requests.findLast(({ path }) => path === '/v1/messages')?.body ?? '';
    assert.ok(received.includes('# Web Pages'), received);
    assert.ok(received.includes(address) && received.includes('High water: 4.2 m.') && !received.includes('Menu'));
    const reply = await latestReply(workbench);
    assert.deepEqual(
      reply.requestContext?.items.filter(({ type }) => type === 'page'),
      [{ type: 'page', name: address, includeMode: 'manual' }],
    );
  });

  it('fetches a page again from its row, sends its new text, and removes it with Undo', async () => {
    const address = pages.url('/tides');
    await add(address);
    await panel.sendAndWait('When is high water?');
    pages.page('/tides', tides('5.1 m'), 'text/html; charset=utf-8', {});
    await workbench.runCommand('loupe.manageContext');
    const section = panel.frame.getByRole('group', { name: /^Web pages/ });
    await section.getByRole('button', { name: 'Refresh' }).click();
    const item = (): Promise<unknown> => workbench.api('previewNextRequest', chatId);
    const chatId = (await latestChat(workbench)).id;
    await waitFor('the changed page in the next request', async () => JSON.stringify(await item()).includes('5.1 m') || undefined);
    await panel.frame.getByRole('button', { name: 'Close' }).click();
    await panel.sendAndWait('And now?');
    const reply = await latestReply(workbench);
    const request = (await workbench.api('getRequest', chatId, reply.id)) as ApiRequest;
    assert.ok(request.body.includes('5.1 m'), request.body);
    await workbench.runCommand('loupe.manageContext');
    await section.getByRole('checkbox').click();
    await panel.frame.locator('.banner-text', { hasText: 'removed from this chat.' }).waitFor();
    await panel.frame.getByRole('button', { name: 'Undo' }).click();
    await section.getByRole('checkbox').waitFor();
  });

  it('adds the address that the user types after @, and offers the page of a pasted one', async () => {
    await panel.composer.pressSequentially(`@${pages.url('/tides')}`);
    await panel.frame.getByRole('option', { name: /Fetch this page/ }).waitFor();
    await panel.composer.press('Enter');
    await panel.frame.getByRole('list', { name: 'With this message' }).getByText('Tides at the quay').waitFor();
    const tables = pages.url('/tables');
    pages.page('/tables', '<html><head><title>Tables</title></head><body><p>All heights.</p></body></html>', 'text/html', {});
    await panel.composer.evaluate((box, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true }));
    }, tables);
    await panel.composer.fill(`See ${tables}`);
    await panel.frame.getByRole('button', { name: 'Add this page' }).click();
    await panel.frame.getByRole('list', { name: 'With this message' }).getByText('Tables').waitFor();
  });

  it('can be cancelled, and tells what failed with Retry', async () => {
    let answer = (): void => undefined;
    pages.on('/slow', (response) => {
      answer = () => {
        response.writeHead(500).end();
      };
    });
    const slow = add(pages.url('/slow'));
    await panel.frame.locator('.banner-text', { hasText: `Fetching ${pages.url('/slow')}…` }).waitFor();
    await panel.frame.getByRole('button', { name: 'Cancel' }).click();
    await slow;
    assert.deepEqual(
      (await latestChat(workbench)).context.filter(({ type }) => type === 'page'),
      [],
    );
    answer();
    await add(pages.url('/missing')).catch(() => undefined);
    await panel.frame.locator('.banner-text', { hasText: 'did not send the page (HTTP 404)' }).waitFor();
    pages.page('/missing', tides('3.9 m'), 'text/html; charset=utf-8', {});
    await panel.frame.getByRole('button', { name: 'Retry' }).click();
    await panel.frame.getByRole('list', { name: 'With this message' }).getByText('Tides at the quay').waitFor();
    assert.equal(await panel.frame.locator('.banner-text', { hasText: 'HTTP 404' }).count(), 0);
  });
});
