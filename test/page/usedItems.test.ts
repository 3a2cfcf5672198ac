import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/* The items that a reply used, in a browser without VS Code. */

describe('the items that a reply used', () => {
  const preview = usePreview();

  it('are in the tooltip of the figures, then rows whose words screen readers have, with a way to manage them by keys', async () => {
    await preview.show('Used items', DARK, 420, 900);
    const { page } = preview;
    await page.getByTitle(/2 rules .* · 2 of 5 used/).waitFor();
    const toggle = page.getByRole('button', { name: 'Context used' });
    await toggle.focus();
    await preview.press('Enter');
    const rows = page.getByRole('region', { name: 'Context used' }).getByRole('listitem');
    await rows.first().waitFor();
    const row = rows.filter({ hasText: 'predict.ts' });
    assert.match(await row.innerText(), /edited, |edited: src\/predict\.ts, cited: src\/predict\.ts:12-18/);
    assert.match(await rows.filter({ hasText: 'Name the station' }).innerText(), /quoted: Each answer names the station/);
    const manage = page.getByRole('region', { name: 'Context used' }).getByRole('button', { name: 'Manage context' });
    await manage.focus();
    await preview.press('Enter');
    await page.getByRole('region', { name: 'Context of this chat' }).waitFor();
    await preview.press('Escape');
    const isBack = (): Promise<boolean> => manage.evaluate((button) => button === document.activeElement);
    await waitFor('the focus on the button that opened the pane', async () => (await isBack()) || undefined);
  });
});
