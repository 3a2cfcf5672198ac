import type { ImageView } from './entries.js';

/* Chips above the message box. Each chip is an item of the chat, such as a file, or a folder with several files. */

/** Maximum number of visible chips until the user expands the list. */
export const MOST_CHIPS = 200;

export interface ContextChip {
  /** Key of an item, such as `file:src/a.ts`, or key of a folder. */
  readonly key: string;
  /** Name of the item. The name of a folder ends with a slash. */
  readonly name: string;
  /** Number of files that a folder's chip represents. Null for the chip of one item. */
  readonly files: number | null;
  /** Tokens of the content in the next request. Null if the request does not contain the item. */
  readonly tokens: number | null;
  /**
   * `deleted`: the last request contained it. `missing`: it did not. `refused`: cannot be sent. `twice`: the chat also
   * has the whole file of this excerpt. `cut`: only a part fits into the request. `leaving`: removed, but still sent.
   * `unread`: Loupe reads the resource from its server before sending.
   */
  readonly warning: {
    readonly kind: 'changed' | 'deleted' | 'missing' | 'refused' | 'twice' | 'cut' | 'leaving' | 'unread';
    readonly text: string;
  } | null;
}

/** Kinds of items with their own chips, in display order. A resource of a server is a reference. */
export const CHIP_KINDS = ['rule', 'reference', 'skill', 'file', 'page', 'repository'] as const;
export type ChipKind = (typeof CHIP_KINDS)[number];

/** Totals of all items of the chat. All tools share one chip, and their totals are separate. */
export interface ContextTotal extends ToolTotal {
  readonly items: number;
  /** The items by kind, in the order of `CHIP_KINDS`. Kinds without items are omitted. */
  readonly kinds: readonly (readonly [ChipKind, number])[];
  readonly tokens: number;
  /** Number of chips that are hidden while the list is collapsed, and how many of them have a warning. */
  readonly folded: number;
  readonly foldedWarnings: number;
}

/** Number of tools in the next request, and of the other tools of the chat, which the model does not accept. */
export interface ToolTotal {
  readonly tools: number;
  readonly toolsNotOffered: number;
}

/** Something that goes with the message in the message box, such as an image. Later requests send images as history. */
export interface WithMessageRow {
  /** Identity of the row, with its kind: `image:` and the name of the blob. */
  readonly key: string;
  readonly kind: 'image' | 'page' | 'editor' | 'pick';
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
  /** The score, from 0 to 1, with which Loupe picked the item for the text. Null for all other rows. */
  readonly score: number | null;
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
