import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { CHAT_ID } from '../../webview/preview/states/parts.js';
import { turnOf, useLooks } from '../support/workbench/looks.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** Pixels. */
const WIDTHS = [300, 425] as const;

describe('an open menu', () => {
  const preview = usePreview();
  const looks = useLooks(preview);
  const pick = (): Locator => preview.page.getByRole('list', { name: 'With this message' }).getByRole('listitem').first();
  const items = async (): Promise<readonly string[]> => preview.page.getByRole('menuitem').allInnerTexts();

  async function opened(state: string, button: () => Locator): Promise<void> {
    await preview.show(state, DARK, 425, 800);
    await button().press('Enter');
    await preview.page.getByRole('menuitem').first().waitFor();
  }

  const pickButton = (): Locator => pick().getByRole('button', { name: /^Where to use/ });

  it('is at an item that Loupe picks for the text, with the choices of a chip', async () => {
    await opened('Picked rules', pickButton);
    assert.deepEqual(await items(), ['Exclude from this chat', 'Exclude in this folder', 'Never use', 'Open Benchmarks, not timed tests']);
    await preview.press('End', 'ArrowUp', 'Enter');
    const [choice] = await preview.posted(1, 'switchItem');
    assert.deepEqual(choice, { type: 'switchItem', chatId: CHAT_ID, key: 'rule:Benchmarks, not timed tests', to: 'everywhere' });
    await waitFor('the focus in the message box', () =>
      preview.page.evaluate(() => document.activeElement?.localName === 'vscode-text-area' || undefined),
    );
  });

  for (const width of [300, 425]) {
    it(`is at the left edge of its chip, and inside a panel of ${width} px`, async () => {
      await preview.show('Menu of a rule', DARK, width, 800);
      const menu = preview.page.getByRole('menu');
      const chip = preview.page.locator('.chip-open[aria-expanded=true]');
      const [ofMenu, ofChip] = [await menu.boundingBox(), await chip.boundingBox()];
      assert.ok(ofMenu !== null && ofChip !== null);
      assert.equal(ofMenu.x, ofChip.x);
      assert.ok(ofMenu.x + ofMenu.width <= width);
    });
  }

  it('offers no chat as the place for a server without tools', async () => {
    const buttonOf = (name: string) => (): Locator => preview.page.getByRole('button', { name: `Where to use ${name}` });
    await opened('Tools of the chat', buttonOf('memory'));
    assert.deepEqual(await items(), ['Exclude in this folder', 'Never use']);
    await opened('Tools of the chat', buttonOf('filesystem'));
    assert.deepEqual(await items(), ['Exclude from this chat', 'Exclude in this folder', 'Never use']);
  });

  for (const [at, [what, state, button]] of (
    [
      ['a picked item', 'Picked rules', pickButton],
      ['a row', 'Context of the chat', () => preview.page.getByRole('button', { name: 'Where to use Error handling' })],
      [
        'a reply',
        'First chat',
        () => preview.page.getByRole('article', { name: 'Assistant' }).getByRole('button', { name: 'More', exact: true }),
      ],
      ['the chat', 'First chat', () => preview.page.getByRole('button', { name: 'Chat menu' })],
    ] as const
  ).entries()) {
    it(`of ${what} is accessible and readable while it is open`, async () => {
      await opened(state, button);
      assert.deepEqual(await looks.faults(turnOf(at, WIDTHS)), []);
    });
  }
});
