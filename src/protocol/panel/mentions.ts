/*
 * Suggestions for `@` and `/` in a message. `@` names a file or another item to add to the chat. `/` at the beginning
 * of a line names a prompt of an MCP server to insert into the message.
 */

export const MENTION_MARKS = ['@', '/'] as const;

export type MentionMark = (typeof MENTION_MARKS)[number];

export interface MentionRow {
  /** Key of the item or prompt. For an MCP server that does not run: the name of the server. */
  readonly key: string;
  readonly kind: 'file' | 'rule' | 'reference' | 'skill' | 'tool' | 'page' | 'prompt' | 'server';
  /** Name to show: for a file without its folders, for a prompt with the name of its MCP server. */
  readonly name: string;
  /** A second text: the folders of a file, a description, or what the user gets when the MCP server starts. */
  readonly about: string;
  /** Indexes of the letters of `name` that match the typed text, in UTF-16 units. */
  readonly matches: readonly number[];
  readonly isIn: boolean;
}

/** The response to `findMentions`, with the mark and text of that message. A later response replaces an earlier one. */
export interface Mentions {
  readonly type: 'mentions';
  readonly mark: MentionMark;
  readonly text: string;
  /** Suggestions by kind, best first. `@`: files, rules, references, skills, tools, servers. `/`: prompts, servers. */
  readonly rows: readonly MentionRow[];
  /** Sentences about MCP servers that have not responded: the state or problem of each server. */
  readonly notes: readonly string[];
}

/** Maximum number of suggestions above the message box, so that the user can read them at a glance. */
export const MOST_MENTIONS = 8;
