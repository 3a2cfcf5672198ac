// The panel in a browser, without VS Code around it: in a fixed state, with a record of what it posts.

import type { Browser, Page } from 'playwright-core';
import { startPreview } from '../../../build/preview.mjs';
import type { ToHost } from '../../../src/protocol/toHost.js';
import { launchBrowser } from '../browser.mjs';
import { waitFor } from './wait.js';

export const DARK = 'Dark Modern';

export class PreviewPage {
  readonly page: Page;
  readonly #preview: Awaited<ReturnType<typeof startPreview>>;
  readonly #browser: Browser;

  static async open(): Promise<PreviewPage> {
    const preview = await startPreview({ port: 0, watch: false });
    const browser = await launchBrowser();
    const page = await browser.newPage();
    // The preview passes on what the panel posts.
    await page.addInitScript(() => {
      const posted: unknown[] = [];
      Object.assign(globalThis, { posted });
      window.addEventListener('message', ({ data }: MessageEvent<{ type: string; state?: unknown }>) => {
        if (data.type === 'snapshot') Object.assign(globalThis, { given: data.state });
        else posted.push(data);
      });
    });
    return new PreviewPage(preview, browser, page);
  }

  private constructor(preview: Awaited<ReturnType<typeof startPreview>>, browser: Browser, page: Page) {
    this.#preview = preview;
    this.#browser = browser;
    this.page = page;
  }

  get url(): string {
    return this.#preview.url;
  }

  /** Loads the panel in that state. Sizes in pixels. */
  async show(state: string, theme: string, width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.goto(`${this.url}frame.html?${new URLSearchParams({ state, theme }).toString()}`);
    await this.page.locator(`body[data-ready="${state}"]`).waitFor();
  }

  /** What the panel has posted since it was shown, of these types: `count` of them, which may be still on their way. */
  async posted(count: number, ...types: ToHost['type'][]): Promise<ToHost[]> {
    const ofTypes = async (): Promise<ToHost[]> =>
      (await this.page.evaluate<ToHost[]>('posted')).filter(({ type }) => types.includes(type));
    await waitFor(`${String(count)} messages`, async () => (await ofTypes()).length >= count || undefined);
    return ofTypes();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#preview.stop();
  }
}
