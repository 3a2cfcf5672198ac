import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the session files and instructions of a chat in the context pane', () => {
  const preview = usePreview();

  it('have a form for new instructions, which needs a name that is not taken', async () => {
    await preview.show('Context of the chat', DARK, 420, 1_600);
    const { page } = preview;
    await page.getByRole('button', { name: 'New instructions' }).click();
    const [name, text, add] = [
      page.getByRole('textbox', { name: 'Name of the instructions' }),
      page.getByRole('textbox', { name: 'Instructions', exact: true }),
      page.getByRole('group', { name: 'System prompt (1)' }).getByRole('button', { name: 'Add', exact: true }),
    ];
    await text.fill('Write in rhymes.');
    await name.fill('acme.deploy');
    await page.getByText('This chat already has instructions with this name.').waitFor();
    await add.click();
    await name.fill(' style ');
    await add.click();
    await name.waitFor({ state: 'detached' });
    const posted = await preview.posted(1, 'setFragment');
    assert.deepEqual(posted, [{ type: 'setFragment', chatId: 'chat', id: 'style', text: 'Write in rhymes.' }]);
  });

  it('have buttons that restore a changed or a deleted file', async () => {
    await preview.show('Context of the chat', DARK, 420, 1_600);
    await preview.page.getByRole('button', { name: 'Restore the earlier version of notes/plan.md' }).click();
    await preview.page.getByRole('button', { name: 'Restore notes/old plan.md' }).click();
    assert.deepEqual(
      (await preview.posted(2, 'restoreSessionFile')).map((message) => message.type === 'restoreSessionFile' && message.name),
      ['notes/plan.md', 'notes/old plan.md'],
    );
  });
});
