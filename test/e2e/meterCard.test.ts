import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DARK, PreviewPage } from '../support/workbench/previewPage.js';

describe('the meter', () => {
  let preview: PreviewPage;
  let page: Page;

  before(async () => {
    preview = await PreviewPage.open();
    ({ page } = preview);
  });

  after(async () => {
    await preview.close();
  });

  it('has a card that opens with Enter and closes with Escape, and when the focus leaves it', async () => {
    await preview.show('Pinned messages', DARK, 420, 700);
    const opener = page.getByRole('button', { name: / in the context window, and how they are shared$/ });
    const card = page.getByRole('group', { name: 'Context window in tokens' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await card.getByText('Everything else').waitFor();
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    assert.equal(await opener.evaluate((button) => button === document.activeElement), true);
    await page.keyboard.press('Enter');
    await card.waitFor();
    await page.keyboard.press('Tab');
    await card.waitFor({ state: 'detached' });
  });
});
