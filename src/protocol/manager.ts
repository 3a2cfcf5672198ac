/*
 * The pane with all context of a chat: what its requests hold, and what else they could.
 */

/** The kinds that have a section, in this order. */
export const MANAGED_TYPES = ['rule', 'reference', 'skill', 'file'] as const;
export type ManagedType = (typeof MANAGED_TYPES)[number];

/** As many rows of a section as are read, and as the panel renders anew within a frame when a key reorders them. All others are found by searching. */
export const MOST_MANAGED = 50;

/** How an agent can have an item. */
export const AGENT_INCLUDES = ['always', 'manual', 'agent', 'off'] as const;

/** So many replies without a word of an item: the conversation is about something else. The reference's number. */
export const UNUSED_REPLIES = 20;

/** What of the pane is on show: rows are sent only of the sections that are open. */
export interface ManagedSections {
  /** Rows are those whose name, path or description has it; with a text all sections are open. */
  readonly search: string;
  readonly open: readonly ManagedType[];
  /** The key of the row whose proof is open; null for none. */
  readonly proof: string | null;
}

export interface ManagerView {
  /** Whether the folder is not trusted: then none of its rules is sent. */
  readonly isRestricted: boolean;
  /** The items that the next request holds, and their tokens. */
  readonly items: number;
  readonly tokens: number;
  /** The agent for whose chats the include modes can be changed; null for none. */
  readonly agent: string | null;
  /** So many requests of the chat are behind `lastUse` of its rows. */
  readonly requests: number;
  readonly sections: readonly ManagerSection[];
}

export interface ManagerSection {
  readonly type: ManagedType;
  /** How many the next request holds, and how many there are. */
  readonly held: number;
  readonly total: number;
  /** What those that it holds take. */
  readonly tokens: number;
  /** Empty while the section is closed. */
  readonly rows: readonly ManagerRow[];
  /** Those that match beyond `rows`. */
  readonly more: number;
}

export interface ManagerRow {
  readonly key: string;
  readonly name: string;
  /** The path of its file where its name is another; null otherwise. */
  readonly source: string | null;
  /** `in`: in the chat; `picked`: the next request holds it for its message or files; `out`: in neither; `off`: it cannot be added. */
  readonly state: 'in' | 'picked' | 'out' | 'off';
  /** How it gets into chats; null for what only the user adds. */
  readonly includeMode: 'always' | 'manual' | 'agent' | null;
  /** How well it fits the message that is being written; null where that does not count. */
  readonly score: number | null;
  /** Null for what cannot be read. */
  readonly tokens: number | null;
  /** What is wrong with it, or why it is not there; null for nothing. */
  readonly note: string | null;
  /** Where the note is about a line of its file. */
  readonly place: { readonly path: string; readonly line: number } | null;
  /** How many requests came after the last one that held it: 0 for none; null where none of the latest did. */
  readonly lastUse: number | null;
  /** Whether nothing has named it for long. */
  readonly isUnused: boolean;
}
