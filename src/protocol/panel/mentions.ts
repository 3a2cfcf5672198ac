/*
 * What a mark in a message finds. `@` names a file, a rule or a reference, which is added to the chat. `/`, at the beginning of a line,
 * names a prompt of a server, which is put into the message.
 */

export const MENTION_MARKS = ['@', '/'] as const;

export type MentionMark = (typeof MENTION_MARKS)[number];

export interface MentionRow {
  /** The key of the item, or of the prompt; the name of a server that does not run. */
  readonly key: string;
  readonly kind: 'file' | 'rule' | 'reference' | 'skill' | 'tool' | 'prompt' | 'server';
  /** A file's name without its folders. A prompt's has that of its server. */
  readonly name: string;
  /** The folders of a file; what starting a server shows; what anything else says of itself. */
  readonly about: string;
  /** Indexes of the letters of `name` that match, by UTF-16 unit. */
  readonly matches: readonly number[];
  /** Whether the chat has it already. */
  readonly isIn: boolean;
}

/** An answer to `findMentions`, with its mark and text. More may follow, each in place of the one before. */
export interface Mentions {
  readonly type: 'mentions';
  readonly mark: MentionMark;
  readonly text: string;
  /** The best first within each kind; files, then rules, references, skills and tools. */
  readonly rows: readonly MentionRow[];
  /** What servers are doing that have not answered, or why they cannot, a sentence for each. */
  readonly notes: readonly string[];
}

/** As many as are seen at a glance above the message box. */
export const MOST_MENTIONS = 8;
