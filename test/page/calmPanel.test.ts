import assert from 'node:assert/strict';
import { replied, said } from '../../webview/preview/states/parts.js';
import { text } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** The goals of the panel at rest. Other chat panels show 8 to 25 controls. */
const MOST_CONTROLS = 24;
const LEAST_SHARE = 0.72;
/** In a panel of 700 x 450 px, which is a window at a zoom of 200 %. */
const LEAST_SHARE_WHEN_LOW = 0.45;

describe('the panel at rest, with two short replies', () => {
  const preview = usePreview();

  /** Returns the number of visible controls, and the share of the height that the conversation has. */
  async function measured(width: number, height: number): Promise<{ readonly controls: number; readonly share: number }> {
    await preview.show('First chat', DARK, width, height);
    await preview.change((state) => ({
      ...state,
      entries: ['one', 'two'].flatMap((id) => [
        said(`u-${id}`, 'Why is the sum slow?', {}),
        replied(`a-${id}`, [text('It scans all parts.')], {}),
      ]),
    }));
    await waitFor('the replies', async () => (await preview.page.getByRole('article', { name: 'Assistant' }).count()) === 2 || undefined);
    return preview.page.evaluate(() => {
      const shown = (control: Element): boolean => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const isInPage = right > left && bottom > top && bottom > 0 && top < innerHeight;
        return isInPage && control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      };
      const controls = [...document.querySelectorAll('button, a[href], vscode-text-area, vscode-button')].filter(shown);
      const conversation = document.querySelector('.stage')?.getBoundingClientRect();
      return { controls: controls.length, share: (conversation?.height ?? 0) / innerHeight };
    });
  }

  it('has few controls, and most of its height for the conversation', async () => {
    const { controls, share } = await measured(425, 794);
    assert.ok(controls <= MOST_CONTROLS, `${String(controls)} controls`);
    assert.ok(share >= LEAST_SHARE, `${(100 * share).toFixed(1)} % of the height`);
  });

  it('leaves the conversation nearly half of the height in a low window', async () => {
    const { share } = await measured(700, 450);
    assert.ok(share >= LEAST_SHARE_WHEN_LOW, `${(100 * share).toFixed(1)} % of the height`);
  });
});
