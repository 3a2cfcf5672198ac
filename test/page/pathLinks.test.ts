import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assistantEntry, text, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

/* The preview says that all paths in `src` exist, and no others. */

describe('paths in a reply in a page', () => {
  const preview = usePreview();
  const reply = (): Locator => preview.page.locator('[data-entry="m1"] .markdown');
  const links = (): Promise<readonly string[]> => reply().getByRole('link').allInnerTexts();

  async function show(markdown: string, status: 'done' | 'streaming'): Promise<void> {
    await preview.show('First chat', DARK, 300, 700);
    await preview.change((state) => ({
      ...state,
      entries: [userEntry('m0', 'A question'), { ...assistantEntry('m1', text(markdown)), status }],
    }));
  }

  it('are links if the files exist, and open the file at its line by mouse or key', async () => {
    await show('See src/heap.ts:12, lib/none.ts and `src/sift.ts`.', 'done');
    await reply().getByRole('link', { name: 'src/heap.ts:12' }).click();
    await reply().getByRole('link', { name: 'src/sift.ts' }).focus();
    await preview.press('Enter');
    assert.deepEqual(await links(), ['src/heap.ts:12', 'src/sift.ts']);
    assert.deepEqual(await preview.posted(2, 'openFile'), [
      { type: 'openFile', path: 'src/heap.ts', line: 12 },
      { type: 'openFile', path: 'src/sift.ts', line: 1 },
    ]);
  });

  it('are asked about once each, without their lines, and only when their block is complete', async () => {
    await show('See src/a.ts:1 and src/a.ts:2.\n\nThen src/b.ts', 'streaming');
    await reply().getByRole('link', { name: 'src/a.ts:2' }).waitFor();
    assert.deepEqual(await links(), ['src/a.ts:1', 'src/a.ts:2']);
    await preview.change((state) => ({
      ...state,
      entries: state.entries.map((entry) => (entry.kind === 'assistant' ? { ...entry, status: 'done' } : entry)),
    }));
    await reply().getByRole('link', { name: 'src/b.ts' }).waitFor();
    assert.deepEqual(await preview.posted(2, 'findPaths'), [
      { type: 'findPaths', paths: ['src/a.ts'] },
      { type: 'findPaths', paths: ['src/b.ts'] },
    ]);
  });

  it('are asked about in batches of 100', async () => {
    const paths = Array.from({ length: 130 }, (_, at) => `src/f${String(at)}.ts`);
    await show(paths.join(' '), 'done');
    await reply().getByRole('link', { name: 'src/f129.ts' }).waitFor();
    const asked = await preview.posted(2, 'findPaths');
    assert.deepEqual(
      asked.map((message) => (message.type === 'findPaths' ? message.paths.length : null)),
      [100, 30],
    );
  });
});
