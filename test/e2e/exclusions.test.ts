import assert from 'node:assert/strict';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReplyPart } from '../support/cachingServer/options.js';
import { inTurn } from '../support/cachingServer/replies.js';
import { latestChat } from '../support/workbench/chat.js';
import { sharedWorkbench, waitFor, type ChatPanel, type Workbench } from '../support/workbench/index.js';

const KEY = 'the-key';

describe('Excluding from requests', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    const call = (text: string): ReplyPart => ({ type: 'toolCall', name: 'echo', args: { text } });
    server = await startCachingServer({
      key: KEY,
      models: [{ id: 'tides' }],
      reply: inTurn(
        { parts: [call('Low water at 10:25'), call('High water at 04:12')] },
        { parts: [{ type: 'text', text: 'These are the tides.' }] },
        { parts: [{ type: 'text', text: 'Nothing else.' }] },
      ),
    });
    ({ workbench, panel } = await sharedWorkbench());
    const models = [{ id: 'tides', maxInputTokens: 100_000, maxOutputTokens: 2_000 }];
    await workbench.runCommand('loupe.addProvider', { id: 'house', protocol: 'anthropic', baseUrl: server.url, models }, KEY);
    const chatId = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'house/tides', { chatId });
    // Only the chat on show has this model.
    await panel.frame.getByRole('button', { name: /tides/ }).waitFor();
    await panel.sendAndWait('When are the tides?');
    await panel.sendAndWait('And what else?');
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  /** Waits until the next request has a text, or has it no longer. */
  async function nextHas(text: string, isThere: boolean): Promise<string> {
    const { id } = await latestChat(workbench);
    return waitFor(`${text} ${isThere ? 'in' : 'out of'} the next request`, async () => {
      const { body } = (await workbench.api('previewNextRequest', id, { text: 'Go on.' })) as ApiPreview;
      return body.includes(text) === isThere ? body : undefined;
    });
  }

  it('excludes a turn from the requests by the menu of its message, and includes it again', async () => {
    const article = panel.articles('You').filter({ hasText: 'And what else?' });
    await article.focus();
    await article.getByRole('button', { name: 'More' }).press('Enter');
    const item = article.getByRole('menuitem', { name: /^Exclude from requests/ });
    await item.waitFor();
    await item.press('Enter');
    await article.getByText(/^Excluded by you/).waitFor();
    await nextHas('what else', false);
    assert.equal(await article.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)), true);
    await article.getByRole('button', { name: 'Include again' }).press('Enter');
    await article.getByText(/^Excluded by you/).waitFor({ state: 'detached' });
    await nextHas('what else', true);
  });

  it('excludes one of two calls of a reply from the requests by its row, and includes it again', async () => {
    const calls = panel.log.getByRole('group', { name: 'Tools (2)', exact: true });
    await panel.log
      .getByRole('button', { name: /^1 step/ })
      .last()
      .click();
    const second = calls.locator('.tool-call').nth(1);
    await second.getByRole('button', { name: /echo/ }).click();
    await second.getByRole('button', { name: 'Exclude from requests' }).press('Enter');
    await second.getByText(/^Excluded by you/).waitFor();
    assert.ok((await nextHas('04:12', false)).includes('10:25'), 'the first call is still sent');
    await second.getByRole('button', { name: 'Include again' }).press('Enter');
    await second.getByText(/^Excluded by you/).waitFor({ state: 'detached' });
    await nextHas('04:12', true);
  });
});
