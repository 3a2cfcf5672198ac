/*
 * The items of the context that a request held or left out.
 */

export interface ContextGroup {
  readonly type: 'rule' | 'reference' | 'tool' | 'file';
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Tools as `server:tool`. */
  readonly name: string;
  /** The item's key when it has a file to open; null for other items. */
  readonly file: string | null;
  readonly includeMode: 'always' | 'manual' | 'agent';
  readonly score: number | null;
  readonly tokens: number | null;
  /** Tokens of the whole file where the request had room only for its beginning; null for any other item. */
  readonly ofTokens: number | null;
  /** Why the request left it out; null when the request held it. */
  readonly leftOut: string | null;
}
