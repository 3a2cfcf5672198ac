import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the keys of the list of chats', () => {
  const preview = usePreview();

  it('export a chat with Shift+Enter, and import one at the last tab stop', async () => {
    await preview.show('Many chats', DARK, 420, 700);
    await preview.press('ArrowDown', 'Shift+Enter', 'Tab', 'Enter');
    const posted = await preview.posted(2, 'askExport', 'askImport', 'openChat');
    assert.deepEqual(posted, [{ type: 'askExport', chatId: 'chat' }, { type: 'askImport' }]);
  });
});
