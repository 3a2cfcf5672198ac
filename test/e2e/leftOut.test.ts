import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { latestChat } from '../support/workbench/chat.js';
import { sharedWorkbench, waitFor, type ChatPanel, type Workbench } from '../support/workbench/index.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

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
