import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assistantEntry, text, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const LINE_PX = 18;

describe('code of a reply in a page', () => {
  const preview = usePreview();
  const reply = (): Locator => preview.page.locator('[data-entry="m1"] .markdown');
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line${String(at + 1)}();`).join('\n');

  async function show(markdown: string, status: 'done' | 'streaming'): Promise<void> {
    await preview.show('First chat', DARK, 300, 700);
    await preview.change((state) => ({
      ...state,
      entries: [userEntry('m0', 'A question'), { ...assistantEntry('m1', text(markdown)), status }],
    }));
    await reply().locator('.code-block').first().waitFor();
  }

  async function heightOf(element: Locator): Promise<number> {
    return (await element.boundingBox())?.height ?? 0;
  }

  it('is folded when it is long, and opened by the keyboard', async () => {
    await show(`\`\`\`ts\n${lines(400)}\n\`\`\``, 'done');
    const block = reply().locator('.code-block');
    assert.ok((await heightOf(block)) < 40 * LINE_PX, 'folded');
    await reply().getByRole('button', { name: 'Show all 400 lines' }).focus();
    await preview.press('Enter');
    await waitFor('the whole code', async () => (await heightOf(block)) > 400 * LINE_PX || undefined);
    const head = reply().locator('.code-head');
    await reply().getByText('line399').scrollIntoViewIfNeeded();
    const bar = await preview.page.locator('.scroller').first().boundingBox();
    assert.ok(Math.abs(((await head.boundingBox())?.y ?? 0) - (bar?.y ?? 0)) < 2, 'the bar of the block stays in sight');
    await reply().getByRole('button', { name: 'Show fewer lines' }).click();
    await waitFor('the fold', async () => (await heightOf(block)) < 40 * LINE_PX || undefined);
    await reply().getByRole('button', { name: 'Show all 400 lines' }).waitFor();
  });

  it('is not folded for a few lines, and counts them while it arrives', async () => {
    await show(`\`\`\`ts\n${lines(40)}\n\`\`\``, 'done');
    assert.equal(
      await reply()
        .getByRole('button', { name: /^Show all/ })
        .count(),
      0,
    );
    await show(`\`\`\`ts\n${lines(60)}`, 'streaming');
    await reply().getByRole('button', { name: 'Show all 60 lines' }).waitFor();
  });

  it('opens the file that the model named, and applies to it when it is complete', async () => {
    await show('```ts src/heap.ts\nlet a', 'streaming');
    assert.ok(
      await reply()
        .getByRole('button', { name: /^Apply to src\/heap\.ts/ })
        .isDisabled(),
    );
    await show('```ts src/heap.ts\nlet a = 1;\n```', 'done');
    await reply().getByRole('link', { name: 'src/heap.ts' }).click();
    await reply().getByRole('button', { name: 'Apply to src/heap.ts…' }).click();
    assert.deepEqual(await preview.posted(2, 'openFile', 'applyCode'), [
      { type: 'openFile', path: 'src/heap.ts', line: 1 },
      { type: 'applyCode', path: 'src/heap.ts', text: 'let a = 1;' },
    ]);
  });
});
