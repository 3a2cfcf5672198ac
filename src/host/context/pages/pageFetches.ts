import { lookup } from 'node:dns/promises';
import * as vscode from 'vscode';
import { toLoupeError } from '../../../engine/errors.js';
import { itemKey } from '../../../engine/record/item.js';
import type { Clock, Sha256 } from '../../../engine/ports.js';
import type { PageText } from '../../../tools/web/conversion.js';
import { convertPage } from '../../../tools/web/convertPage.js';
import { webAddress } from '../../../tools/web/webAddress.js';
import { type Banners, FAILURE } from '../../window/banners.js';
import type { SelectionTarget } from '../addSelection.js';

export interface PageFetchesPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly sha256: Sha256;
  /** Path of the script that converts pages in another thread. */
  readonly script: string;
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
  #count = 0;
  /** The last fetch that failed, for *Retry*. */
  #failed: { readonly chatId: string; readonly address: string } | null = null;

  constructor(ports: PageFetchesPorts) {
    this.#ports = ports;
  }

  /** Fetches a page and adds it to a chat. A page of the chat gets its new text. Rejects with a `LoupeError`. */
  async add(chat: PageTarget, address: string, banners: PageBanners): Promise<void> {
    try {
      const page = await this.#withProgress(address, banners, (signal) => this.load(address, signal));
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

  /** Fetches a page and converts it to text. Rejects with a `LoupeError`. */
  async load(address: string, signal: AbortSignal): Promise<LoadedPage> {
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

  async #withProgress<T>(address: string, banners: PageBanners, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#count += 1;
    const id = String(this.#count);
    const abort = new AbortController();
    this.#running.set(id, abort);
    const bannerId = `pageFetch:${id}`;
    banners.show({
      id: bannerId,
      severity: 'info',
      text: `Fetching ${address}…`,
      actions: [{ label: 'Cancel', action: 'cancelPage', argument: id }],
    });
    try {
      return await work(abort.signal);
    } finally {
      this.#running.delete(id);
      banners.hide(bannerId);
    }
  }
}

async function mayOpenPrivate(host: string, addresses: readonly string[]): Promise<boolean> {
  const open = 'Open';
  const isNamed = addresses.some((address) => host.includes(address));
  const detail =
    `${isNamed ? host : `${host} (${addresses.join(', ')})`} is on this computer or in a private network. ` +
    'Its pages can contain data that is not public. Loupe sends the text of the page to the model.';
  return (await vscode.window.showWarningMessage(`Open ${host}?`, { modal: true, detail }, open)) === open;
}

/** Asks the user for the address of a page. Returns null when the user cancels. */
export async function askForAddress(): Promise<string | null> {
  const problemOf = (text: string): string | null => {
    try {
      webAddress(text);
      return null;
    } catch (thrown) {
      return toLoupeError(thrown).message;
    }
  };
  const given = await vscode.window.showInputBox({
    title: 'Add a web page',
    prompt: 'Enter the address of the page.',
    placeHolder: 'https://',
    validateInput: (text) => (text.trim() === '' ? null : problemOf(text)),
  });
  return given === undefined || given.trim() === '' ? null : given;
}
