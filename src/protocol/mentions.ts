/*
 * What `@` in a message names: a file, a rule or a reference, which is added to the chat.
 */

export interface MentionRow {
  /** The key of the item. */
  readonly key: string;
  readonly kind: 'file' | 'rule' | 'reference' | 'skill' | 'tool';
  /** A file's name without its folders. */
  readonly name: string;
  /** The folders of a file; what a rule or a reference says of itself. */
  readonly about: string;
  /** Indexes of the letters of `name` that match, by UTF-16 unit. */
  readonly matches: readonly number[];
  /** Whether the chat has it already. */
  readonly isIn: boolean;
}

/** The answer to `findMentions`, with its text. */
export interface Mentions {
  readonly type: 'mentions';
  readonly text: string;
  /** The best first within each kind; files, then rules, references, skills and tools. */
  readonly rows: readonly MentionRow[];
}

/** As many as are seen at a glance above the message box. */
export const MOST_MENTIONS = 8;
