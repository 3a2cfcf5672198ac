import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assistantEntry, text, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('formulas of a reply in a page', () => {
  const preview = usePreview();
  const reply = (): Locator => preview.page.locator('[data-entry="m1"] .markdown');

  async function show(markdown: string, status: 'done' | 'streaming'): Promise<void> {
    await preview.show('First chat', DARK, 425, 794);
    await preview.change((state) => ({
      ...state,
      entries: [userEntry('m0', 'A question'), { ...assistantEntry('m1', text(markdown)), status }],
    }));
    await reply().getByText('after').waitFor();
  }

  it('are rendered with their fonts, also for a screen reader', async () => {
    await show('The height is $h = \\dfrac{g t^2}{2}$.\n\n\\[ \\sum_{n=1}^{12} a_n \\cos(\\omega_n t) \\]\n\nafter', 'done');
    await reply().locator('.katex').nth(1).waitFor();
    assert.equal(await reply().locator('.katex-display').count(), 1, 'one formula has a line of its own');
    assert.equal(await reply().getByRole('math').count(), 2, 'each formula is mathematics for a screen reader');
    const fonts = await preview.page.evaluate(async () => (await document.fonts.load('16px KaTeX_Main')).map(({ status }) => status));
    assert.ok(fonts.length > 0 && fonts.every((status) => status === 'loaded'), fonts.join(', '));
    const [fraction] = await reply().locator('.mfrac .vlist-t').all();
    assert.ok(((await fraction?.boundingBox())?.height ?? 0) > 20, 'a fraction is higher than a line: its styles apply');
  });

  it('stay text with a mistake, in code and until they are complete', async () => {
    await show('Wrong: $\\frac{1$. Code: `$x^2$`. Right: $x$.\n\nafter\n\n$$ a +', 'streaming');
    await reply().locator('.katex').waitFor();
    const shown = await reply().innerText();
    assert.ok(shown.includes('$\\frac{1$') && shown.includes('$x^2$') && shown.includes('$$ a +'), shown);
    assert.match((await reply().locator('.math[title]').getAttribute('title')) ?? '', /^KaTeX parse error/);
  });

  it('scroll when they are wider than the panel', async () => {
    await show(`$$ ${Array.from({ length: 60 }, (_, at) => `x_{${String(at)}}`).join(' + ')} $$\n\nafter`, 'done');
    const formula = reply().locator('.katex-display');
    await formula.waitFor();
    assert.ok(await formula.evaluate((element) => element.scrollWidth > element.clientWidth), 'the formula is wider');
    assert.equal(await preview.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  });
});
