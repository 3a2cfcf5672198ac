import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the meter', () => {
  const preview = usePreview();

  it('has a card that opens with Enter and closes with Escape, and when the focus leaves it', async () => {
    await preview.show('Pinned messages', DARK, 420, 700);
    const opener = preview.page.getByRole('button', { name: / in the context window. Show the parts$/ });
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

  it('has the way to set an assumed limit in sight below the line of the title, also where it is narrow', async () => {
    for (const width of [300, 420, 900]) {
      await preview.show('An assumed limit', DARK, width, 700);
      const button = preview.page.getByRole('button', { name: /^Set it: the context size of Qwen/ });
      await button.focus();
      await preview.page.keyboard.press('Enter');
      assert.deepEqual(await preview.posted(1, 'setModelLimit'), [
        { type: 'setModelLimit', provider: 'office', model: 'qwen2.5-coder-32b' },
      ]);
      const [set, title] = [await button.boundingBox(), await preview.page.getByRole('heading', { level: 1 }).boundingBox()];
      assert.ok(set !== null && title !== null, `${width} px`);
      assert.ok(set.x >= 0 && set.x + set.width <= width && set.y >= title.y + title.height, `${width} px`);
    }
  });
});
