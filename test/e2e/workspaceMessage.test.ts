import assert from 'node:assert/strict';
import type { ApiChat, ApiPreview, ApiRequest } from '../../src/protocol/api/api.js';
import { ChatPanel, latestReply, openLoupe, sharedWorkbench, uriArgument, waitFor, type Workbench } from '../support/workbench/index.js';

describe('the editor state in a real window', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let id: string;

  before(async () => {
    ({ workbench } = await sharedWorkbench());
    panel = new ChatPanel(await openLoupe(workbench.page));
    id = (await workbench.runCommand('loupe.newChat')) as string;
    // Notifications of earlier tests can cover the message box.
    await workbench.runCommand('notifications.clearAll');
  });

  const openLines = async (name: string, first: number, last: number): Promise<void> => {
    const selection = { start: { line: first - 1, character: 0 }, end: { line: last, character: 0 } };
    await workbench.runCommand('vscode.open', uriArgument(workbench, name), { selection });
  };

  it('goes with the next message, at the tokens that are shown, and is switched off in the message box', async () => {
    await openLines('src/gauge.ts', 2, 4);
    await panel.composer.fill('What is this?');
    const row = panel.frame
      .getByRole('list', { name: 'With this message' })
      .getByRole('listitem')
      .filter({ hasText: 'Editor: gauge.ts:2-4' });
    await row.waitFor();
    await waitFor('the tokens', async () => /\d+ tokens/.test((await row.textContent()) ?? '') || undefined);
    const preview = (await workbench.api('previewNextRequest', id)) as ApiPreview;
    const tokens = preview.blocks.find(({ key }) => key === 'editor:selection')?.tokens;
    assert.ok((await row.textContent())?.includes(`${String(tokens)} tokens`) === true);
    await panel.sendAndWait('What is this?');
    const reply = await latestReply(workbench);
    const request = (await workbench.api('getRequest', id, reply.id)) as ApiRequest;
    assert.ok(request.exact);
    assert.equal(request.body, preview.body);
    assert.match(request.body, /Open in the editor: src\/gauge\.ts/);
    assert.match(request.body, /Selected in the editor: src\/gauge\.ts, lines 2 to 4\\n```ts/);
    assert.match(request.body, /Date: \d{4}-\d\d-\d\d \(time zone /);
    await panel.composer.fill('And this?');
    await openLines('src/gauge.ts', 6, 7);
    await panel.frame.getByText('Editor: gauge.ts:6-7').waitFor();
    await workbench.runCommand('notifications.clearAll');
    await panel.frame.getByRole('button', { name: 'Remove Editor: gauge.ts:6-7' }).click();
    await panel.frame.getByText('Editor: gauge.ts:6-7').waitFor({ state: 'detached' });
    assert.equal(((await workbench.api('getChat', id)) as ApiChat).config['editorSelection'], 'off');
  });
});
