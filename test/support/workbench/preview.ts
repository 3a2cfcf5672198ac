// The preview of the panel in a browser, without VS Code: one server for all test files of a process.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { startPreview } from '../../../build/preview.mjs';
import { sharedBrowser } from './browser.js';
// Closes the browser after the last test.
import './shared.js';

const holder: { preview: ReturnType<typeof startPreview> | undefined } = { preview: undefined };

/** A page of its own, empty, and the address of the preview. The caller closes the page's context. */
export async function previewPage(options: BrowserContextOptions): Promise<{ readonly page: Page; readonly url: string }> {
  holder.preview ??= startPreview({ port: 0, watch: false });
  const { url } = await holder.preview;
  const context = await (await sharedBrowser()).newContext(options);
  return { page: await context.newPage(), url };
}

// Loaded by a suite, outside any describe: for the tests of all files.
if (typeof after === 'function') {
  after(async () => {
    await (await holder.preview)?.stop();
    holder.preview = undefined;
  });
}
