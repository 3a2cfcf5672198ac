/*
 * The items of the context that a request held or left out.
 */

export interface ContextGroup {
  readonly type: 'rule' | 'reference' | 'skill' | 'tool' | 'file';
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Tools as `server:tool`. */
  readonly name: string;
  /** The item's key when it can be opened; null for other items. */
  readonly file: string | null;
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand';
  readonly score: number | null;
  readonly tokens: number | null;
  /** Tokens of the whole file where the request had room only for its beginning; null for any other item. */
  readonly ofTokens: number | null;
  /** Why the request left it out; null when the request held it. */
  readonly leftOut: string | null;
}

/** An item of the catalog that a request left out. */
export interface LeftOutView extends ContextItemView {
  readonly type: ContextGroup['type'];
  /** Whether it would be sent if the user adds it: not what is switched off or cannot be read. */
  readonly canBeAdded: boolean;
}

/** What a request left out: what cannot be sent first, then the near misses. */
export interface LeftOutItems {
  readonly total: number;
  /** The first `MOST_LEFT_OUT` of them. */
  readonly first: readonly LeftOutView[];
}

/** As many as are read. A catalog may hold a thousand, and they are sent at each key. */
export const MOST_LEFT_OUT = 40;
