import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { ApiPreview } from '../../src/protocol/api/api.js';
import {
  ChatPanel,
  chatTab,
  latestChat,
  openInspector,
  QuickInput,
  sharedWorkbench,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';
import { column } from '../support/columns.js';

const QUESTION = 'Where is the lighthouse?';

describe('sending again with one thing changed', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let inspector: Frame;
  let ask: QuickInput;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    ask = new QuickInput(workbench.page);
    await panel.sendAndWait('/long 20');
    await panel.sendAndWait(QUESTION);
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    inspector = await openInspector(workbench.page);
    await inspector.getByRole('heading', { level: 1, name: 'Request 2 of 2', exact: true }).waitFor();
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  const tabs = (name: RegExp): Promise<number> => workbench.page.getByRole('tab', { name }).count();

  it('asks what to change, by name, and tells the price before anything is sent', async () => {
    await inspector.getByRole('button', { name: 'Send again…' }).click();
    await ask.asked('What to change');
    for (const row of ['Without AGENTS.md', 'Without the turn "/long 20"']) {
      await ask.row(row).waitFor();
    }
    await ask.filter('agents.md');
    await ask.row('Without the turn').waitFor({ state: 'detached' });
    await ask.confirm();
    await ask.dialog.getByText(/^Send again without AGENTS\.md: [\d,]+ tokens, would cost (< |≈ )?\$0\.\d{2,4} (with|\+) reply$/).waitFor();
    await ask.answer('Cancel');
    await ask.dialog.waitFor({ state: 'detached' });
    assert.equal((await latestChat(workbench)).messages.filter(({ role }) => role === 'user').length, 2);
    assert.equal(await tabs(/lighthouse/), 0);
  });

  it('answers in a fork beside the inspector, which says what both answers cost', async () => {
    const original = await latestChat(workbench);
    // The inspector's tab has the focus, so its request counts. The command ends with the answer.
    const sent = workbench.runCommand('loupe.sendAgain');
    await ask.asked('What to change');
    await ask.pick('Without AGENTS.md');
    await ask.answer('Send');
    await sent;
    const fork = new ChatPanel(await chatTab(workbench.page));
    await fork.articles('You').filter({ hasText: QUESTION }).waitFor();
    await fork.log.getByText(/^Sent again without AGENTS\.md: would cost (< )?\$0\.\d{4} instead of (< )?\$0\.\d{4}$/).waitFor();
    assert.equal(await tabs(/^Request Inspector/), 1);
    const answered = await waitFor('the fork in the list', async () => {
      const latest = await latestChat(workbench);
      return latest.id === original.id ? undefined : latest;
    });
    assert.deepEqual(column(answered.messages, 'role'), column(original.messages, 'role'));
    const { body } = (await workbench.api('previewNextRequest', answered.id, { text: 'Go on.' })) as ApiPreview;
    assert.ok(!body.includes('AGENTS.md'));
    await inspector.getByRole('button', { name: 'Request before' }).click();
    await inspector.getByRole('heading', { level: 1, name: 'Request 1 of 2', exact: true }).waitFor();
    await fork.log.getByRole('button', { name: 'Show the earlier request' }).click();
    await inspector.getByRole('heading', { level: 1, name: 'Request 2 of 2', exact: true }).waitFor();
  });
});
