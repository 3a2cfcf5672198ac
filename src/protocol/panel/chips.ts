/*
 * The chips above the message box: the items of the chat.
 */

/** Most chips that are shown until the user expands the list. */
export const MOST_CHIPS = 200;

export interface ContextChip {
  /** Key of an item, such as `file:src/a.ts`, or of a folder. */
  readonly key: string;
  /** The name of a folder ends with a slash. */
  readonly name: string;
  /** Number of files that a folder's chip represents. Null for the chip of one item. */
  readonly files: number | null;
  /** Null if the content cannot be read. */
  readonly tokens: number | null;
  /**
   * `twice`: the chat also holds the whole file of this excerpt. `cut`: only a part fits into the request. `leaving`:
   * removed, but still sent. `unread`: a resource that is read from its server when a message is sent.
   */
  readonly warning: {
    readonly kind: 'changed' | 'missing' | 'refused' | 'twice' | 'cut' | 'leaving' | 'unread';
    readonly text: string;
  } | null;
}

/** Totals of the chat's items. Tools have one chip together and count separately. */
export interface ContextTotal extends ToolTotal {
  readonly items: number;
  readonly files: number;
  readonly tokens: number;
  /** Number of items without a chip while the list is collapsed, and how many of them have a warning. */
  readonly folded: number;
  readonly foldedWarnings: number;
}

/** Tools that the next request offers, and tools that it does not because the model does not support tools. */
export interface ToolTotal {
  readonly tools: number;
  readonly toolsNotOffered: number;
}
