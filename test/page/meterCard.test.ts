import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the meter', () => {
  const preview = usePreview();

  it('has a card that opens with Enter and closes with Escape, and when the focus leaves it', async () => {
    await preview.show('Pinned messages', DARK, 420, 700);
    const opener = preview.page.getByRole('button', { name: / in the context window, and how they are shared$/ });
    const card = preview.page.getByRole('group', { name: 'Context window in tokens' });
    await opener.focus();
    await preview.page.keyboard.press('Enter');
    await card.getByText('Everything else').waitFor();
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    await preview.page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    assert.equal(await opener.evaluate((button) => button === document.activeElement), true);
    await preview.page.keyboard.press('Enter');
    await card.waitFor();
    await preview.page.keyboard.press('Tab');
    await card.waitFor({ state: 'detached' });
  });
});
