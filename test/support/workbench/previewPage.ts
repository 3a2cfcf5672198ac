// A webview in a browser without VS Code: in a fixed state, with a record of its posts, or connected with its view of
// the host. All test files of a process share one server and one browser.

import type { Page } from 'playwright-core';
import { startPreview } from '../../../build/preview.mjs';
import type { InspectorMessage } from '../../../src/protocol/inspector/inspector.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ToWebview } from '../../../src/protocol/panel/toWebview.js';
import type { UsageMessage } from '../../../src/protocol/usage/usage.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { sharedBrowser } from './browser.js';
// Closes the browser after the last test.
import './shared.js';
import { waitFor } from './wait.js';

const holder: { preview: ReturnType<typeof startPreview> | undefined } = { preview: undefined };

export const DARK = 'Dark Modern';

/** Registers the hooks that give the tests of a file their own page. */
export function usePreview(): PreviewPage {
  const preview = new PreviewPage();
  before(() => preview.open());
  after(() => preview.close());
  return preview;
}

/** The part of a host's view that posts to its webview. */
interface HostChannel {
  connect(post: (message: InspectorMessage | UsageMessage) => void): void;
  ready(): void;
}

export class PreviewPage {
  #receive: (message: object) => void = () => undefined;
  #opened: { readonly url: string; readonly page: Page } | null = null;

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
    await page.exposeFunction('toHost', (message: object) => {
      this.#receive(message);
    });
    // The preview forwards what the webview posts.
    await page.addInitScript(() => {
      const posted: unknown[] = [];
      Object.assign(globalThis, { posted });
      window.addEventListener('message', ({ data }: MessageEvent<{ type: string; state?: unknown }>) => {
        if (data.type === 'snapshot') Object.assign(globalThis, { given: data.state });
        else if (data.type !== 'delta') {
          posted.push(data);
          (globalThis as unknown as { toHost(message: object): void }).toHost(data);
        }
      });
    });
    this.#opened = { url, page };
  }

  /** Loads the webview in a state (`Usage` has none). Sizes in pixels. */
  async show(state: string, theme: string, width: number, height: number): Promise<void> {
    this.#receive = () => undefined;
    await this.page.setViewportSize({ width, height });
    const page = state === 'Usage' ? 'usage' : state.startsWith('Inspector: ') ? 'inspector' : 'frame';
    await this.page.goto(`${this.url}${page}.html?${new URLSearchParams({ state, theme }).toString()}`);
    await this.page.locator(`body[data-ready="${state}"]`).waitFor();
  }

  /** Shows another state with a snapshot, as the host does. */
  async change(to: (state: PanelState) => PanelState): Promise<void> {
    const state = to(await this.page.evaluate<PanelState>('given'));
    await this.tell({ type: 'snapshot', epoch: Date.now(), state });
  }

  /** Connects the visible webview with a view of the host. `receive` gets its posts. */
  connect(channel: HostChannel, receive: (message: never) => void): void {
    this.#receive = receive as (message: object) => void;
    channel.connect((message) => void this.tell(message));
    channel.ready();
  }

  async tell(message: ToWebview | InspectorMessage | UsageMessage): Promise<void> {
    await this.page.evaluate((data) => {
      window.postMessage(data, location.origin);
    }, message);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Waits until the panel has posted `count` messages of these types. */
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

// Loaded outside any describe, so it applies to all files.
if (typeof after === 'function') {
  after(async () => {
    await (await holder.preview)?.stop();
    holder.preview = undefined;
  });
}
