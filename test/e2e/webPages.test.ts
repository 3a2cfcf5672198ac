import assert from 'node:assert/strict';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { PageServer } from '../support/http/pageServer.js';
import { type ChatPanel, latestChat, sharedWorkbench, type Workbench } from '../support/workbench/index.js';

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

  /** Adds a page by the command, and allows the address on this computer. */
  async function add(address: string): Promise<void> {
    const added = workbench.runCommand('loupe.addUrlToContext', address);
    await allow();
    await added;
  }

  async function allow(): Promise<void> {
    const dialog = workbench.page.getByRole('dialog').filter({ hasText: `Open 127.0.0.1:${String(pages.port)}?` });
    await dialog.getByRole('button', { name: 'Open' }).click();
  }

  it('sends the page that the user added, after a question for an address on this computer', async () => {
    await workbench.runCommand('loupe.selectModel', 'peer/peer-model');
    const address = pages.url('/tides');
    await add(address);
    await panel.frame.locator('.chip', { hasText: 'Tides at the quay' }).waitFor();
    await panel.sendAndWait('When is high water?');
    const received = peer.requests.findLast(({ path }) => path === '/v1/messages')?.body ?? '';
    assert.ok(received.includes('# Web Pages'), received);
    assert.ok(received.includes(address) && received.includes('High water: 4.2 m.') && !received.includes('Menu'));
    const reply = (await latestChat(workbench)).messages.at(-1);
    assert.deepEqual(
      reply?.requestContext?.items.filter(({ type }) => type === 'page'),
      [{ type: 'page', name: address, includeMode: 'manual' }],
    );
  });
});
