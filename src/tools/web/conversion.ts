import type { FetchedPage } from '../../engine/record/item.js';

/** A fetched file that becomes text. Plain data, because another thread converts it. */
export interface PageFile {
  readonly bytes: Uint8Array;
  /** The header `content-type`. Empty when unknown. */
  readonly contentType: string;
  readonly address: string;
}

export interface PageText extends Pick<FetchedPage, 'warning'> {
  /** Null for a file without a title. */
  readonly title: string | null;
  /** Markdown of a web page, or the text of another file. */
  readonly text: string;
}

export type Conversion =
  | ({ readonly ok: true } & PageText)
  /** Loupe cannot read files of this type. */
  | { readonly ok: false; readonly problem: 'type'; readonly type: string }
  /** The text is too large for a request. */
  | { readonly ok: false; readonly problem: 'textTooLarge' }
  /** The file does not have the form of its type. `cause` is the error text of the library. */
  | { readonly ok: false; readonly problem: 'unreadable'; readonly cause: string };
