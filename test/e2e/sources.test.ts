import assert from 'node:assert/strict';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { PageServer } from '../support/http/pageServer.js';
import { png } from '../support/images.js';
import { type ChatPanel, latestReply, sharedWorkbench, uriArgument, waitFor, type Workbench } from '../support/workbench/index.js';

const MODEL = { id: 'large', maxInputTokens: 100_000, maxOutputTokens: 2_000, prices: { input: 300, output: 15 } };
const PAGE = `<html><head><title>Tides at the quay</title></head><body><article><h1>Tides</h1><p>${'The gauge measures the tide. '.repeat(20)}</p></article></body></html>`;

describe('a message with a screenshot, a web page and selected code', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let pages: PageServer;
  let peer: CachingServer;

  before(async () => {
    pages = await PageServer.start({});
    pages.page('/tides', PAGE, 'text/html; charset=utf-8', {});
    peer = await startCachingServer({ key: 'key-of-the-peer', models: [{ id: 'large', minimumTokens: 100_000 }] });
    ({ workbench, panel } = await sharedWorkbench());
    const provider = { id: 'quay', protocol: 'anthropic', baseUrl: peer.url, models: [MODEL] };
    await workbench.runCommand('loupe.addProvider', provider, 'key-of-the-peer');
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await peer.stop();
    await pages.stop();
  });

  it('reaches the provider with all three, as previewed and at the price that was shown', async () => {
    const id = (await workbench.runCommand('loupe.newChat')) as string;
    await workbench.runCommand('loupe.selectModel', 'quay/large', { chatId: id });
    // Until the panel shows this chat, it would paste the image into the chat before, which looks the same.
    await panel.frame.locator('.composer-tools').getByText('large').waitFor();
    const screenshot = png(640, 480, 0);
    await panel.pasteImage(screenshot, 'image/png');
    const added = workbench.runCommand('loupe.addUrlToContext', pages.url('/tides'));
    const question = workbench.page.getByRole('dialog').filter({ hasText: `Open 127.0.0.1:${String(pages.port)}?` });
    await question.getByRole('button', { name: 'Open' }).click();
    await added;
    const selection = { start: { line: 1, character: 0 }, end: { line: 4, character: 0 } };
    await workbench.runCommand('vscode.open', uriArgument(workbench, 'src/gauge.ts'), { selection });
    await panel.composer.fill('What does the gauge show?');

    const rows = panel.frame.getByRole('list', { name: 'With this message' }).getByRole('listitem');
    for (const name of ['Pasted image', 'Tides at the quay', 'Editor: gauge.ts:2-4']) {
      await rows
        .filter({ hasText: name })
        .getByText(/^≈ \$\d\.\d{4}$/)
        .waitFor();
    }
    const preview = (await workbench.api('previewNextRequest', id)) as ApiPreview;
    const line = panel.region('Next request');
    await line.getByText(preview.totalTokens.toLocaleString('en-US')).waitFor();
    await line.getByRole('button', { name: 'Next request', exact: true }).click();
    const shown = Number((await line.locator('.block-total .row-price').innerText()).replace(/[^\d.]/g, ''));
    assert.ok(Math.abs(shown - (preview.totalTokens * MODEL.prices.input) / 1_000_000) < 0.0001, `shown: $${String(shown)}`);
    await line.getByRole('button', { name: 'Next request', exact: true }).click();

    await panel.sendAndWait('What does the gauge show?');
    const received = peer.requests.findLast(({ path }) => path === '/v1/messages');
    assert.equal(received?.body, preview.body);
    assert.ok(received.body.includes(screenshot.toString('base64')), 'the screenshot');
    assert.ok(received.body.includes('The gauge measures the tide.'), 'the page');
    assert.match(received.body, /Selected in the editor: src\/gauge\.ts, lines 2 to 4/);
    const billed = await waitFor('the bill', async () => (await latestReply(workbench)).usage ?? undefined);
    // The peer counts four characters as a token, so its bill for the text differs a little.
    const billedInput = ((billed.promptTokens ?? 0) * MODEL.prices.input) / 1_000_000;
    assert.ok(Math.abs(billedInput / shown - 1) < 0.05, `billed: $${String(billedInput)}, shown: $${String(shown)}`);
  });
});
