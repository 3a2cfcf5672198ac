// The panel in a browser, without VS Code around it: in a fixed state, with a record of what it posts. One server and
// one browser serve all test files of a process.

import type { Page } from 'playwright-core';
import { startPreview } from '../../../build/preview.mjs';
import type { ToHost } from '../../../src/protocol/toHost.js';
import type { ToWebview } from '../../../src/protocol/toWebview.js';
import type { PanelState } from '../../../src/protocol/view.js';
import { sharedBrowser } from './browser.js';
// Closes the browser after the last test.
import './shared.js';
import { waitFor } from './wait.js';

const holder: { preview: ReturnType<typeof startPreview> | undefined } = { preview: undefined };

export const DARK = 'Dark Modern';

/** Registers the hooks that give the tests of a file a page of their own. */
export function usePreview(): PreviewPage {
  const preview = new PreviewPage();
  before(() => preview.open());
  after(() => preview.close());
  return preview;
}

export class PreviewPage {
  #opened: { readonly url: string; readonly page: Page } | null = null;

  /** Of the preview itself. */
  get url(): string {
    return this.#open().url;
  }

  get page(): Page {
    return this.#open().page;
  }

  async open(): Promise<void> {
    holder.preview ??= startPreview({ port: 0, watch: false });
    const { url } = await holder.preview;
    const context = await (await sharedBrowser()).newContext();
    const page = await context.newPage();
    // The preview passes on what the panel posts.
    await page.addInitScript(() => {
      const posted: unknown[] = [];
      Object.assign(globalThis, { posted });
      window.addEventListener('message', ({ data }: MessageEvent<{ type: string; state?: unknown }>) => {
        if (data.type === 'snapshot') Object.assign(globalThis, { given: data.state });
        else posted.push(data);
      });
    });
    this.#opened = { url, page };
  }

  /** Loads the panel in that state. Sizes in pixels. */
  async show(state: string, theme: string, width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    const page = state.startsWith('Inspector: ') ? 'inspector' : 'frame';
    await this.page.goto(`${this.url}${page}.html?${new URLSearchParams({ state, theme }).toString()}`);
    await this.page.locator(`body[data-ready="${state}"]`).waitFor();
  }

  /** Shows another state, as the host does with a snapshot. */
  async change(to: (state: PanelState) => PanelState): Promise<void> {
    const state = to(await this.page.evaluate<PanelState>('given'));
    await this.tell({ type: 'snapshot', epoch: Date.now(), state });
  }

  /** As the host does. */
  async tell(message: ToWebview): Promise<void> {
    await this.page.evaluate((data) => {
      window.postMessage(data, location.origin);
    }, message);
  }

  /** What the panel has posted since it was shown, of these types: `count` of them, which may be still on their way. */
  async posted(count: number, ...types: ToHost['type'][]): Promise<ToHost[]> {
    const ofTypes = async (): Promise<ToHost[]> =>
      (await this.page.evaluate<ToHost[]>('posted')).filter(({ type }) => types.includes(type));
    await waitFor(`${String(count)} messages`, async () => (await ofTypes()).length >= count || undefined);
    return ofTypes();
  }

  async close(): Promise<void> {
    await this.page.context().close();
    this.#opened = null;
  }

  #open(): { readonly url: string; readonly page: Page } {
    if (this.#opened === null) {
      throw new Error('The page is opened before the first test.');
    }
    return this.#opened;
  }
}

// Loaded by a suite, outside any describe: for the tests of all files.
if (typeof after === 'function') {
  after(async () => {
    await (await holder.preview)?.stop();
    holder.preview = undefined;
  });
}
