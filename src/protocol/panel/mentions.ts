/*
 * Suggestions for `@` and `/` in a message. `@` names a file, rule or reference to add to the chat. `/` at the
 * beginning of a line names a prompt of a server to insert into the message.
 */

export const MENTION_MARKS = ['@', '/'] as const;

export type MentionMark = (typeof MENTION_MARKS)[number];

export interface MentionRow {
  /** Key of the item or prompt, or the name of a server that does not run. */
  readonly key: string;
  readonly kind: 'file' | 'rule' | 'reference' | 'skill' | 'tool' | 'prompt' | 'server';
  /** A file's name without its folders. For a prompt, with the name of its server. */
  readonly name: string;
  /** Folders of a file, what starting a server shows, or a description. */
  readonly about: string;
  /** Indexes of the matching letters of `name`, in UTF-16 units. */
  readonly matches: readonly number[];
  readonly isIn: boolean;
}

/** A response to `findMentions`, with its mark and text. Later responses replace it. */
export interface Mentions {
  readonly type: 'mentions';
  readonly mark: MentionMark;
  readonly text: string;
  /** Best first within each kind: files, then rules, references, skills and tools. */
  readonly rows: readonly MentionRow[];
  /** Servers that have not responded: their state or problem, one sentence each. */
  readonly notes: readonly string[];
}

/** Most suggestions above the message box: readable at a glance. */
export const MOST_MENTIONS = 8;
