import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { type ChatPanel, latestChat, openInspector, sharedWorkbench, uriArgument, type Workbench } from '../support/workbench/index.js';

describe('the Request Inspector in the workbench', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let inspector: Frame;
  let chat: string;

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.sendAndWait('/long 20');
    await panel.sendAndWait('High water at the quay');
    chat = (await latestChat(workbench)).id;
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    inspector = await openInspector(workbench.page);
    await heading('Request 2 of 2');
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  const heading = (name: string): Promise<void> => inspector.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  it('says first what the request cost, and goes to another one in the same tab', async () => {
    const verdict = await inspector.getByRole('region', { name: 'Verdict' }).innerText();
    assert.match(verdict, /^Would cost \$0\.\d{4} with a paid model: /);
    await inspector.getByRole('button', { name: 'Request before' }).click();
    await heading('Request 1 of 2');
    await inspector.getByRole('button', { name: 'Request after' }).click();
    await heading('Request 2 of 2');
    assert.equal(await workbench.page.getByRole('tab', { name: 'Request Inspector' }).count(), 1);
  });

  it('follows what is sent, the reply that has the focus and the chat on show, but not from a request that was chosen in it', async () => {
    await panel.sendAndWait('/long 3');
    await heading('Request 2 of 3');
    await panel.articles('Assistant').first().focus();
    // A button of the inspector chose it.
    await heading('Request 2 of 3');
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    await heading('Request 3 of 3');
    const reply = panel.articles('Assistant').first();
    await reply.focus();
    await heading('Request 1 of 3');
    assert.ok(await reply.evaluate((article) => document.hasFocus() && article === document.activeElement), 'the focus stays');
    await panel.newChat();
    await heading('Next request');
    await workbench.runCommand('loupe.openChat', chat);
    await heading('Request 3 of 3');
  });

  it('says what is blacked out before it exports, can be left, and writes one file', async () => {
    await inspector.getByRole('button', { name: 'Export' }).click();
    const dialog = workbench.page.getByRole('dialog').filter({ hasText: 'Export this request?' });
    await dialog.getByText(/black(?:ed)? out/i).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await workbench.runCommand('loupe.exportRequest', uriArgument(workbench, 'request.html'));
    const html = readFileSync(join(workbench.workspaceDir, 'request.html'), 'utf8');
    assert.match(html, /<title>Request \d of \d - [^]*High water at the quay/);
  });
});
