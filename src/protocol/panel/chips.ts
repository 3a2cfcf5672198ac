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

/** Totals of all items of the chat. All tools share one chip, and their totals are separate. */
export interface ContextTotal extends ToolTotal {
  readonly items: number;
  readonly files: number;
  readonly tokens: number;
  /** Number of chips that are hidden while the list is collapsed, and how many of them have a warning. */
  readonly folded: number;
  readonly foldedWarnings: number;
}

/** Number of tools in the next request, and of tools that are omitted because the model does not support tools. */
export interface ToolTotal {
  readonly tools: number;
  readonly toolsNotOffered: number;
}
