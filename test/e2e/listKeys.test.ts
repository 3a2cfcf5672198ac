import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DARK, PreviewPage } from '../support/workbench/previewPage.js';

describe('the keys of the list of chats', () => {
  let preview: PreviewPage;
  let page: Page;

  before(async () => {
    preview = await PreviewPage.open();
    ({ page } = preview);
  });

  after(async () => {
    await preview.close();
  });

  it('export a chat with Shift+Enter, and import one at the last tab stop', async () => {
    await preview.show('Many chats', DARK, 420, 700);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const posted = await preview.posted(2, 'askExport', 'askImport', 'openChat');
    assert.deepEqual(posted, [{ type: 'askExport', chatId: 'chat' }, { type: 'askImport' }]);
  });
});
