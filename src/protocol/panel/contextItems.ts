/*
 * Items of the context, in a request or not selected for it.
 */

export interface ContextGroup {
  readonly type: 'rule' | 'reference' | 'skill' | 'tool' | 'file';
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Tools as `server:tool`. */
  readonly name: string;
  /** The item's key if it can be opened. Null for other items. */
  readonly file: string | null;
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand';
  readonly score: number | null;
  readonly tokens: number | null;
  /** Tokens of the whole file if only its beginning fits into the request. Null otherwise. */
  readonly ofTokens: number | null;
  /** Why the item was not selected. Null if the request held it. */
  readonly notSelectedReason: string | null;
}

/** An item of the catalog that a request does not hold. */
export interface NotSelectedView extends ContextItemView {
  readonly type: ContextGroup['type'];
  /** Whether the user can add it. False if it is turned off or cannot be read. */
  readonly canBeAdded: boolean;
}

/** Items that were not selected: first those that cannot be sent, then the best matches. */
export interface NotSelectedItems {
  readonly total: number;
  /** The first `MOST_LEFT_OUT` items. */
  readonly first: readonly NotSelectedView[];
}

/** Most items that are listed. A catalog may have a thousand, and the list is sent at each keystroke. */
export const MOST_LISTED_ITEMS = 40;
