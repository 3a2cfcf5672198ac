import type { ContextItemType, RequestContextItem } from '../../engine/record/item.js';

/*
 * Items that a request contains, or that were not selected for the request.
 */

export interface ContextGroup {
  readonly type: ContextItemType;
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Name of the item. The name of a tool is `server:tool`. */
  readonly name: string;
  /** The item's key, to open its file. Null for items that cannot be opened. */
  readonly file: string | null;
  readonly includeMode: RequestContextItem['includeMode'];
  readonly score: number | null;
  readonly tokens: number | null;
  /** Tokens of the whole file, if only its beginning fits into the request. Null otherwise. */
  readonly ofTokens: number | null;
  /** Why the item was not selected. Null if the request contains the item. */
  readonly notSelectedReason: string | null;
}

/** An item of the catalog that a request does not contain. */
export interface NotSelectedView extends ContextItemView {
  readonly type: ContextItemType;
  /** Whether the user can add the item. False if the item is turned off or cannot be read. */
  readonly canBeAdded: boolean;
}

/** Items that were not selected. Items that cannot be sent come first, then the best matches for the message. */
export interface NotSelectedItems {
  readonly total: number;
  /** The first `MOST_LISTED_ITEMS` items. */
  readonly first: readonly NotSelectedView[];
}

/** Maximum items in a list. A catalog may have a thousand items, and the host sends the list after each keystroke. */
export const MOST_LISTED_ITEMS = 40;
