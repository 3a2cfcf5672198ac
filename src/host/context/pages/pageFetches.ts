import { lookup } from 'node:dns/promises';
import { toLoupeError } from '../../../engine/errors.js';
import { itemKey } from '../../../engine/record/item.js';
import type { Clock, Sha256 } from '../../../engine/ports.js';
import type { PageText } from '../../../tools/web/conversion.js';
import { convertPage } from '../../../tools/web/convertPage.js';
import { type Banners, FAILURE } from '../../window/banners.js';
import type { SelectionTarget } from '../addSelection.js';
import { PrivateHosts, type PrivateHostQuestion } from './privateHosts.js';

export interface PageFetchesPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly sha256: Sha256;
  /** Path of the script that converts pages in another thread. */
  readonly script: string;
  /** Asks the user whether Loupe may open a host on this computer or in a private network. */
  readonly mayOpenPrivate: PrivateHostQuestion;
}

export interface PageTarget extends SelectionTarget {
  readonly id: string;
}

/** A page that was fetched and converted. */
export interface LoadedPage extends PageText {
  /** The address after redirects, without a fragment. */
  readonly address: string;
  readonly bytes: number;
}

type PageBanners = Pick<Banners, 'show' | 'hide'>;

/** Fetches web pages, with progress and a cancel in the panel. */
export class PageFetches {
  readonly #ports: PageFetchesPorts;
  readonly #running = new Map<string, AbortController>();
  readonly #privateHosts: PrivateHosts;
  #count = 0;
  /** The last fetch that failed, for *Retry*. */
  #failed: { readonly chatId: string; readonly address: string } | null = null;

  constructor(ports: PageFetchesPorts) {
    this.#ports = ports;
    this.#privateHosts = new PrivateHosts(ports.mayOpenPrivate);
  }

  /** Fetches a page and adds it to a chat. A page of the chat gets its new text. Rejects with a `LoupeError`. */
  async add(chat: PageTarget, address: string, banners: PageBanners): Promise<void> {
    try {
      const page = await this.#withProgress(address, banners, (signal, mayOpen) => this.fetch(address, signal, mayOpen));
      await this.#put(chat, page);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      // A cancelled fetch shows no banner with *Retry*, so the banner of an earlier failure keeps its address.
      this.#failed = error.kind === 'cancelled' ? this.#failed : { chatId: chat.id, address };
      throw error;
    }
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  /** Repeats the last failed fetch, and hides its banner. Does nothing without one. */
  async retry(open: (chatId: string) => Promise<PageTarget>, banners: PageBanners): Promise<void> {
    const failed = this.#failed;
    banners.hide(FAILURE);
    if (failed !== null) {
      await this.add(await open(failed.chatId), failed.address, banners);
    }
  }

  /** Fetches a page for a tool. Asks about each private host, also one that the user has allowed for own pages. */
  load(address: string, signal: AbortSignal): Promise<LoadedPage> {
    return this.fetch(address, signal, this.#ports.mayOpenPrivate);
  }

  /** Fetches a page and converts it to text. Rejects with a `LoupeError`. */
  protected async fetch(address: string, signal: AbortSignal, mayOpenPrivate: PrivateHostQuestion): Promise<LoadedPage> {
    const { clock, script } = this.#ports;
    const { guardedFetch, PAGE_LIMITS } = await import('../../../tools/web/guardedFetch.js');
    const file = await guardedFetch(address, signal, {
      resolve: (host) => lookup(host, { all: true }),
      mayOpenPrivate,
      limits: PAGE_LIMITS,
      now: clock.now.bind(clock),
    });
    const text = await convertPage(file, script, signal);
    return { ...text, address: file.url.href, bytes: file.bytes.length };
  }

  async #put(chat: PageTarget, { address, title, text, bytes, warning }: LoadedPage): Promise<void> {
    const { sha256, clock } = this.#ports;
    const given = await chat.context.store(text);
    const base = { type: 'page', name: address } as const;
    const { includeMode } = chat.state.context.get(itemKey(base)) ?? { includeMode: 'manual' };
    const page = { title: title ?? address, fetchedAt: clock.now(), bytes, warning };
    await chat.context.add({ ...base, includeMode, addedHash: sha256(text), given, page });
  }

  /** Shows the progress, except while the user answers a question. */
  async #withProgress<T>(
    address: string,
    banners: PageBanners,
    work: (signal: AbortSignal, mayOpenPrivate: PrivateHostQuestion) => Promise<T>,
  ): Promise<T> {
    this.#count += 1;
    const id = String(this.#count);
    const abort = new AbortController();
    this.#running.set(id, abort);
    const bannerId = `pageFetch:${id}`;
    const showProgress = (): void => {
      banners.show({
        id: bannerId,
        severity: 'info',
        text: `Fetching ${address}…`,
        actions: [{ label: 'Cancel', action: 'cancelPage', argument: id }],
      });
    };
    showProgress();
    try {
      return await work(abort.signal, async (host, addresses) => {
        banners.hide(bannerId);
        const mayOpen = await this.#privateHosts.mayOpen(address, host, addresses);
        if (mayOpen) {
          showProgress();
        }
        return mayOpen;
      });
    } finally {
      this.#running.delete(id);
      banners.hide(bannerId);
    }
  }
}
