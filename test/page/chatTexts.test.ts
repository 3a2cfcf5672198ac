import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the session files and instructions of a chat in the context pane', () => {
  const preview = usePreview();

  it('have a form for new instructions, which needs a free name and stays until the chat has them', async () => {
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
    const posted = await preview.posted(1, 'setFragment');
    assert.deepEqual(posted, [{ type: 'setFragment', chatId: 'chat', id: 'style', text: 'Write in rhymes.' }]);
    await preview.change((state) => ({ ...state, banners: [] }));
    assert.deepEqual([await name.inputValue(), await text.inputValue()], [' style ', 'Write in rhymes.'], 'the host can refuse them');
    const added = { id: 'style', text: 'Write in rhymes.', tokens: 5 };
    await preview.change(({ chatTexts, ...state }) => ({
      ...state,
      chatTexts: chatTexts === null ? null : { ...chatTexts, fragments: [...chatTexts.fragments, added] },
    }));
    await name.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New instructions' }).click();
    await name.waitFor();
    await preview.change(({ chat, ...state }) => ({ ...state, chat: chat === null ? null : { ...chat, id: 'other' } }));
    await name.waitFor({ state: 'detached' });
  });

  it('have buttons that restore a changed or a deleted file', async () => {
    await preview.show('Context of the chat', DARK, 420, 1_600);
    await preview.page.getByRole('button', { name: 'Restore an earlier version of notes/plan.md' }).click();
    await preview.page.getByRole('button', { name: 'Restore notes/old plan.md' }).click();
    assert.deepEqual(
      (await preview.posted(2, 'restoreSessionFile')).map((message) => message.type === 'restoreSessionFile' && message.name),
      ['notes/plan.md', 'notes/old plan.md'],
    );
  });
});
