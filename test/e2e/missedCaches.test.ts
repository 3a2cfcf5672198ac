import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import type { ApiDiagnosis } from '../../src/protocol/api/apiDiagnosis.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { words } from '../support/host/cachingHouse.js';
import { latestChat, openInspector, sharedWorkbench, uriArgument, waitFor } from '../support/workbench/index.js';

const KEY = 'the-key';
const MINIMUM = 256;

const MODEL = {
  ...{ id: 'large', maxInputTokens: 100_000, maxOutputTokens: 2_000 },
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
  capabilities: { countsTokens: false, cache: { kind: 'marks', most: 4, minimumTokens: MINIMUM, lookBack: 20, lifetimes: ['5m', '1h'] } },
};

describe('what a missed cache is put down to', () => {
  let server: CachingServer;

  before(async () => {
    server = await startCachingServer({
      key: KEY,
      now: () => Date.now(),
      models: [{ id: 'large', minimumTokens: MINIMUM }],
      reply: ({ marks }) => ({ parts: [{ type: 'text', text: words(400, marks) }] }),
    });
  });

  after(async () => {
    const { workbench } = await sharedWorkbench();
    await workbench.updateSettings({ 'loupe.providers': undefined, 'loupe.defaults.layout': undefined });
    rmSync(join(workbench.workspaceDir, 'tides'), { recursive: true, force: true });
    await server.stop();
  });

  it('is a file that changed above the conversation, in the API and in the inspector, whose hint is taken and undone', async () => {
    const { workbench, panel } = await sharedWorkbench();
    await workbench.runCommand('loupe.addProvider', { id: 'house', protocol: 'anthropic', baseUrl: server.url, models: [MODEL] }, KEY);
    await workbench.updateSettings({ 'loupe.defaults.layout': 'plain' });
    const chatId = (await workbench.runCommand('loupe.newChat')) as string;
    await workbench.runCommand('loupe.selectModel', 'house/large', { chatId });
    const say = async (text: string): Promise<ApiDiagnosis> => {
      await workbench.api('sendMessage', text, { chatId });
      const reply = (await latestChat(workbench)).messages.findLast(({ role }) => role === 'assistant');
      return (await workbench.api('diagnose', chatId, reply?.id)) as ApiDiagnosis;
    };
    const folder = join(workbench.workspaceDir, 'tides');
    mkdirSync(folder);
    writeFileSync(join(folder, 'high.ts'), words(200, 8));
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'tides/high.ts'));
    await say(words(300, 1));
    const held = await say(words(300, 2));
    assert.match(held.verdict.reason, /% came from the cache/);
    assert.equal(held.cause, 'held');
    writeFileSync(join(folder, 'high.ts'), `high ${words(200, 9)}`);
    await waitFor('the changed file in the next request', async () => {
      const { body } = (await workbench.api('previewNextRequest', chatId, { text: 'And now?' })) as ApiPreview;
      return body.includes('high word') || undefined;
    });
    const changed = await say('And now?');
    const { cost, reason, details } = changed.verdict;
    assert.match(reason, /^[\d,]+ tokens written to the cache again because tides\/high\.ts changed above the conversation\.$/);
    assert.equal(changed.cause, 'item');

    await panel.idle();
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    const inspector = await openInspector(workbench.page);
    const verdict = inspector.getByRole('region', { name: 'Verdict' });
    await verdict.getByText(`${cost}: ${reason}`).waitFor();
    await verdict.getByRole('button', { name: 'Details' }).press('Enter');
    await verdict.getByText(details).waitFor();
    await inspector.getByRole('group', { name: 'Blocks by size' }).getByText('cache broke here').waitFor();
    const broken = inspector.getByRole('row').filter({ hasText: 'cache broke here' });
    assert.match(await broken.locator('xpath=following-sibling::tr[1]').innerText(), /tides\/high\.ts/);
    const line = inspector
      .locator('.hint-line')
      .filter({ hasText: 'The prompt layout "Continue" would have put this change at the end of the request' });
    await line.getByRole('button', { name: 'Use this layout from now on' }).press('Enter');
    await line.getByText('This chat now uses the prompt layout "Continue".').waitFor();
    const undo = line.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.evaluate((button) => button === document.activeElement), true);
    await undo.press('Enter');
    await line.getByRole('button', { name: 'Use this layout from now on' }).waitFor();
  });
});
