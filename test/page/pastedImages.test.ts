import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { withMessage } from '../../webview/preview/views.js';
import { png } from '../support/images.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

describe('a pasted image', () => {
  const preview = usePreview();

  const rows = (): Locator => preview.page.getByRole('list', { name: 'With this message' }).getByRole('listitem');

  async function paste(): Promise<void> {
    await preview.page.evaluate(
      (data) => {
        const clipboardData = new DataTransfer();
        const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        clipboardData.items.add(new File([content], 'image.png', { type: 'image/png' }));
        document
          .querySelector('loupe-composer')
          ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      png(640, 480, 0).toString('base64'),
    );
  }

  it('has a row with its thumbnail before the host answers, and can be sent', async () => {
    await preview.show('First chat', DARK, 420, 700);
    await paste();
    await rows().filter({ hasText: 'Pasted image' }).getByText('Adding…').waitFor();
    const thumbnail = rows().locator('img');
    await thumbnail.waitFor();
    assert.equal(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth), 184);
    await preview.page.getByRole('button', { name: 'Send', exact: true }).click();
    const [sent] = await preview.posted(1, 'send');
    assert.equal(sent?.type === 'send' && sent.text, '');
  });

  it('has one row when the host has added it', async () => {
    await preview.show('First chat', DARK, 420, 700);
    await paste();
    await rows().getByText('Adding…').waitFor();
    const row = withMessage('image', 'Pasted image', 414, {});
    await preview.change((state) => ({ ...state, withMessage: [row] }));
    await preview.tell({ type: 'imagesAdded', chatId: 'chat' });
    await waitFor('one row', async () => (await rows().count()) === 1 || undefined);
    assert.match(await rows().innerText(), /Pasted image/);
    assert.doesNotMatch(await rows().innerText(), /Adding/);
  });

  it('has no row when the host has refused it', async () => {
    await preview.show('First chat', DARK, 420, 700);
    await paste();
    await rows().waitFor();
    await preview.tell({ type: 'imagesAdded', chatId: 'chat' });
    await rows().waitFor({ state: 'detached' });
  });
});
