import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ApiPreview } from '../../src/protocol/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReplyPart } from '../support/cachingServer/options.js';
import { inTurn } from '../support/cachingServer/replies.js';
import { latestChat } from '../support/workbench/chat.js';
import { sharedWorkbench, waitFor, type ChatPanel, type Workbench } from '../support/workbench/index.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

const KEY = 'the-key';

describe('Leaving out', () => {
  let workbench: Workbench;
  let panel: ChatPanel;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.newChat();
    await panel.sendAndWait('Where is the lighthouse?');
    await panel.sendAndWait('/tool echo {"text":"High water at 04:12"}');
    await panel.sendAndWait('And now?');
  });

  const turn = (text: string): Locator => panel.articles('You').filter({ hasText: text });

  /** What the next request would send, as text. */
  async function nextBody(): Promise<string> {
    const { id } = await latestChat(workbench);
    return JSON.stringify(await workbench.api('previewNextRequest', id, { text: 'Go on.' }));
  }

  it('takes a turn out of the requests by the menu of its message, and brings it back', async () => {
    const article = turn('Where is the lighthouse?');
    await article.focus();
    await article.getByRole('button', { name: 'More' }).press('Enter');
    const item = article.getByRole('menuitem', { name: /^Leave out of requests/ });
    await item.waitFor();
    await item.press('Enter');
    await article.getByText(/^Left out by you/).waitFor();
    await waitFor('it to have left', async () => !(await nextBody()).includes('lighthouse') || undefined);
    assert.equal(await article.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)), true);
    await article.getByRole('button', { name: 'Bring back' }).press('Enter');
    await article.getByText(/^Left out by you/).waitFor({ state: 'detached' });
    await waitFor('it to be back', async () => (await nextBody()).includes('lighthouse') || undefined);
  });

  it('takes the calls of a reply out by their row', async () => {
    const reply = panel.articles('Assistant').filter({ has: panel.frame.getByRole('group', { name: 'Tool', exact: true }) });
    await reply.getByRole('group', { name: 'Tool', exact: true }).getByRole('button', { name: /echo/ }).click();
    await reply.getByRole('button', { name: 'Leave out of requests' }).press('Enter');
    await reply.getByText(/^Left out by you/).waitFor();
    await reply.getByRole('button', { name: 'Bring back' }).press('Enter');
    await reply.getByText(/^Left out by you/).waitFor({ state: 'detached' });
  });
});

describe('Leaving out one of two calls of a reply', () => {
  let server: CachingServer;
  let workbench: Workbench;

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
    ({ workbench } = await sharedWorkbench());
    const models = [{ id: 'tides', maxInputTokens: 100_000, maxOutputTokens: 2_000 }];
    await workbench.runCommand('loupe.addProvider', { id: 'house', protocol: 'anthropic', baseUrl: server.url, models }, KEY);
  });

  after(async () => {
    await workbench.updateSettings({ 'loupe.providers': undefined });
    await server.stop();
  });

  it('leaves the other one in the requests, and brings it back', async () => {
    const { panel } = await sharedWorkbench();
    const id = await workbench.runCommand('loupe.newChat');
    await workbench.runCommand('loupe.selectModel', 'house/tides', { chatId: id });
    // Only the chat on show has this model.
    await panel.frame.getByRole('button', { name: /tides/ }).waitFor();
    await panel.sendAndWait('When are the tides?');
    await panel.sendAndWait('And what else?');
    const next = async (): Promise<string> => ((await workbench.api('previewNextRequest', id, { text: 'Go on.' })) as ApiPreview).body;
    const calls = panel.log.getByRole('group', { name: 'Tools (2)', exact: true });
    await calls.getByRole('button', { name: /^2 tools/ }).click();
    const second = calls.locator('.tool-call').nth(1);
    await second.getByRole('button', { name: /echo/ }).click();
    await second.getByRole('button', { name: 'Leave out of requests' }).press('Enter');
    await second.getByText(/^Left out by you/).waitFor();
    await waitFor('it to have left', async () => !(await next()).includes('04:12') || undefined);
    assert.ok((await next()).includes('10:25'), 'the first call is still sent');
    await second.getByRole('button', { name: 'Bring back' }).press('Enter');
    await second.getByText(/^Left out by you/).waitFor({ state: 'detached' });
    await waitFor('it to be back', async () => (await next()).includes('04:12') || undefined);
  });
});

describe('What the next request leaves out', () => {
  const preview = usePreview();

  it('is brought back from its rows', async () => {
    await preview.show('Left out by you', DARK, 300, 1_200);
    const rows = preview.page.getByRole('group', { name: 'Left out by you (2)' });
    await rows.getByRole('button', { name: 'Bring back, ≈ +$0.0662 How does it predict the tide?' }).press('Enter');
    const calls = preview.page.getByRole('group', { name: 'Forgotten tool calls (2)' });
    await calls.getByRole('button', { name: 'Bring back, ≈ +$0.0751 read_file', exact: true }).press('Enter');
    await calls.getByRole('button', { name: 'Bring back, ≈ +$0.0663 read_file docs/gauges.md' }).press('Enter');
    assert.deepEqual(
      (await preview.posted(3, 'include')).map((message) => message.type === 'include' && [message.messageId, message.call]),
      [
        ['u1', null],
        ['a3', null],
        ['a5', 'c3'],
      ],
    );
  });
});
