import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { png } from '../support/images.js';
import { type ChatPanel, latestReply, sharedWorkbench, uriArgument, waitFor, type Workbench } from '../support/workbench/index.js';

const MODEL = { id: 'large', maxInputTokens: 100_000, maxOutputTokens: 2_000, prices: { input: 3, output: 15 } };
const NARROW = { ...MODEL, id: 'narrow', capabilities: { imageLimits: { mostBase64Bytes: 1_000_000, longestEdge: 300 } } };

describe('images in a message', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;
  let chatId: string;

  before(async () => {
    server = await startCachingServer({ key: 'the-key', models: [MODEL, NARROW].map(({ id }) => ({ id, minimumTokens: 1_024 })) });
    ({ workbench, panel } = await sharedWorkbench());
    await workbench.runCommand(
      'loupe.addProvider',
      { id: 'house', protocol: 'anthropic', baseUrl: server.url, models: [MODEL, NARROW] },
      'the-key',
    );
    chatId = (await workbench.runCommand('loupe.newChat')) as string;
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  const rows = () => panel.frame.getByRole('list', { name: 'With this message' }).getByRole('listitem');

  it('are pasted, or added by a command; the request that the provider receives holds them, at the price on show', async () => {
    const pasted = png(640, 480, 0);
    await panel.pasteImage(pasted, 'image/png');
    // In a narrow panel, only the tooltip has the tokens.
    await rows().filter({ hasText: 'Pasted image' }).getByText('$0.00').waitFor();
    assert.match((await rows().first().getAttribute('title')) ?? '', /≈ 414 tokens/, 'by the published rule, 23 x 18 patches');
    const thumbnail = rows().getByRole('img', { name: 'Pasted image' });
    assert.equal(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth), 184, 'made in the panel, without the host');
    writeFileSync(join(workbench.workspaceDir, 'chart.png'), png(320, 200, 0));
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'chart.png'));
    await rows().filter({ hasText: 'chart.png' }).getByText('$0.00').waitFor();
    assert.match(await rows().last().innerText(), /\$0\.\d{4}/);
    await panel.button('Remove chart.png').click();
    await waitFor('one row', async () => (await rows().count()) === 1 || undefined);
    await panel.composer.fill('What does the chart show?');
    await panel.composer.press('Enter');
    await latestReply(workbench);
    const { body = '' } = server.requests.findLast(({ path }) => path === '/v1/messages') ?? {};
    assert.ok(body.includes(pasted.toString('base64')), 'the provider received the pasted image');
    assert.ok(!body.includes(png(320, 200, 0).toString('base64')), 'and not the removed one');
    await panel.articles('You').last().getByRole('button', { name: 'Pasted image' }).waitFor();
  });

  it('are scaled down by their row when they are too large, and sent', async () => {
    await workbench.runCommand('loupe.selectModel', 'house/narrow', { chatId });
    await panel.pasteImage(png(640, 480, 0), 'image/png');
    await panel.frame.getByText('narrow accepts images of at most 300 pixels per side').waitFor();
    await rows()
      .getByRole('button', { name: /^Scale down Pasted image[^,]*, ≈ 99 tokens, ≈ \$0\.000/ })
      .click();
    await rows().getByText('Too large').waitFor({ state: 'detached' });
    await panel.composer.fill('And now?');
    // The panel refuses Enter until the next request has the smaller image.
    await waitFor('a message that can be sent', async () => (await panel.button('Send').isEnabled()) || undefined);
    await panel.sendAndWait('And now?');
    const { body = '' } = server.requests.findLast(({ path }) => path === '/v1/messages') ?? {};
    const images = [...body.matchAll(/"media_type":"image\/png","data":"([^"]+)"/g)].map((match) => Buffer.from(match[1] ?? '', 'base64'));
    assert.deepEqual(
      images.map((image) => [image.readUInt32BE(16), image.readUInt32BE(20)]),
      [[300, 225]],
    );
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
  });

  it('are refused with the reason when no model can see them', async () => {
    await panel.pasteImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'image/svg+xml');
    await panel.frame.getByRole('note').getByText('Pasted image is an SVG image, which models do not accept.').waitFor();
    assert.equal(await rows().count(), 0);
  });
});
