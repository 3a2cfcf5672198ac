/*
 * The chips above the message box: what is in the chat.
 */

/** Most chips shown until the user opens all: already a wall of them. */
export const MOST_CHIPS = 200;

export interface ContextChip {
  /** Item key, such as `file:src/a.ts`; for a folder a key of its own. */
  readonly key: string;
  /** A folder's ends with a slash. */
  readonly name: string;
  /** The number of files that a folder's chip stands for; null for the chip of one item. */
  readonly files: number | null;
  /** Null when the content cannot be read. */
  readonly tokens: number | null;
  /**
   * `twice`: the chat also holds the whole file that this is a part of. `cut`: the request has no room for all of it. `leaving`: it was
   * removed, but is still sent. `unread`: a resource, which is read from its server when a message is sent.
   */
  readonly warning: {
    readonly kind: 'changed' | 'missing' | 'refused' | 'twice' | 'cut' | 'leaving' | 'unread';
    readonly text: string;
  } | null;
}

/** All items of the session context, but for tools: these have one chip together. */
export interface ContextTotal extends ToolTotal {
  readonly items: number;
  /** How many of them are files. */
  readonly files: number;
  readonly tokens: number;
  /** How many items have no chip of their own while the chips are closed, and how many of those have a warning. */
  readonly folded: number;
  readonly foldedWarnings: number;
}

/** The tools of a chat that its next request offers, and those that it does not, because the model takes none. */
export interface ToolTotal {
  readonly tools: number;
  readonly toolsNotOffered: number;
}
