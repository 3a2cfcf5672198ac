import type { ImageView } from './userEntry.js';

/** Something that goes with the message in the message box, such as an image. Later requests send images as history. */
export interface WithMessageRow {
  /** Identity of the row, with its kind: `image:` and the name of the blob. */
  readonly key: string;
  readonly kind: 'image' | 'page' | 'editor';
  readonly name: string;
  /** Facts about the item for its tooltip, such as its size. Empty without facts. */
  readonly detail: string;
  /** Tokens in the next request. Null while unknown, and for an item that the request does not contain. */
  readonly tokens: number | null;
  /** Whether `tokens` is an estimate. */
  readonly isEstimate: boolean;
  /** US dollars at the expected cache use. Null without prices, or without `tokens`. */
  readonly price: number | null;
  /** Why the request will not contain the item, or contains it changed. Null for an item that is sent unchanged. */
  readonly warning: string | null;
  readonly isRemovable: boolean;
  /** The image to show as a thumbnail. Null for a row with an icon. */
  readonly image: ImageView | null;
  /** The size to which the user can scale down an image that is too large. Null for all other rows. */
  readonly scaled: ScaledImage | null;
}

export interface ScaledImage {
  /** Maximum pixels of the longer edge, and bytes of the file. */
  readonly longestEdge: number;
  readonly mostBytes: number;
  /** Tokens of the scaled image, and US dollars without a cache. The price is null without prices. */
  readonly tokens: number;
  readonly price: number | null;
}
