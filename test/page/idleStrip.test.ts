import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

/** The largest distance of two centers on one line, in px. */
const ROUNDING_PX = 1;

const LINE_PX = 16;

describe('what the panel shows about the cache of an idle chat', () => {
  const preview = usePreview();

  async function box(
    element: Locator,
  ): Promise<{ readonly left: number; readonly right: number; readonly top: number; readonly middle: number }> {
    const { x, y, width, height } = (await element.boundingBox()) ?? assert.fail('It is not visible.');
    return { left: x, right: x + width, top: y, middle: y + height / 2 };
  }

  for (const width of [260, 300, 360, 420]) {
    it(`leaves the name of the model whole next to Summarize first, at ${String(width)} px`, async () => {
      await preview.show('The cache has expired, and a summary pays', DARK, width, 800);
      const { page } = preview;
      const model = page.locator('.composer-tools .model-button');
      assert.equal(await model.locator('.model-start').evaluate((start) => start.scrollWidth > start.clientWidth), false);
      const [name, chevron, summarize, send] = await Promise.all([
        box(model),
        box(model.locator('.codicon')),
        box(page.getByRole('button', { name: 'Summarize first' })),
        box(page.locator('.send')),
      ]);
      assert.ok(chevron.right <= name.right, 'the arrow is inside its button');
      assert.ok(Math.abs(summarize.middle - send.middle) <= ROUNDING_PX, 'Summarize first is next to Send');
      assert.ok(summarize.right <= send.left);
      const isOnOneLine = Math.abs(name.middle - send.middle) <= ROUNDING_PX;
      assert.equal(isOnOneLine, width >= 360);
      assert.ok(!isOnOneLine || name.right <= summarize.left);
    });
  }

  it('has both choices on one line at 425 px', async () => {
    await preview.show('The cache expires soon', DARK, 425, 800);
    const [summarize, warm] = await Promise.all([
      box(preview.page.getByRole('button', { name: /^Summarize for / })),
      box(preview.page.getByRole('button', { name: /^Keep warm / })),
    ]);
    assert.equal(summarize.top, warm.top);
  });

  it('has the button that closes the line at its first line of text', async () => {
    await preview.show('The cache expires soon', DARK, 300, 800);
    const strip = preview.page.getByRole('group', { name: 'Cache of this chat' });
    const [text, close] = await Promise.all([
      box(strip.getByText('Coming back later')),
      box(strip.getByRole('button', { name: 'Leave it' })),
    ]);
    const firstLine = text.top + LINE_PX / 2;
    assert.ok(Math.abs(firstLine - close.middle) <= ROUNDING_PX, `${String(firstLine)}, ${String(close.middle)}`);
  });
});
