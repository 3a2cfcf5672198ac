/*
 * The pane with all context of a chat: what its requests hold, and what else they could.
 */

/** The kinds that have a section, in this order. */
export const MANAGED_TYPES = ['rule', 'reference', 'skill', 'tool', 'file'] as const;
export type ManagedType = (typeof MANAGED_TYPES)[number];
/** Those with a row for each item. Tools stand below their servers. */
export type ListedType = Exclude<ManagedType, 'tool'>;

/** As many rows of a section as are read, and as the panel renders anew within a frame when a key reorders them. All others are found by searching. */
export const MOST_MANAGED = 50;

/** Most servers that are open at a time: more than anyone has. */
export const MOST_OPEN_SERVERS = 100;

/** Most characters of a tool's description in its row. The tool itself opens in an editor, with all of it. */
export const LONGEST_DESCRIPTION = 500;

/** How an agent can have an item. */
export const AGENT_INCLUDES = ['always', 'manual', 'agent', 'onDemand', 'off'] as const;
export type ManagedInclude = (typeof AGENT_INCLUDES)[number];

/** So many replies without a word of an item: the conversation is about something else. The reference's number. */
export const UNUSED_REPLIES = 20;

/** What of the pane is on show: rows are sent only of the sections that are open. */
export interface ManagedSections {
  /** Rows are those whose name, path or description has it; with a text all sections are open. */
  readonly search: string;
  readonly open: readonly ManagedType[];
  /** The names of the servers whose tools are on show. */
  readonly servers: readonly string[];
  /** The key of the row whose proof is open; null for none. */
  readonly proof: string | null;
}

export interface ManagerView {
  /** Whether the folder is not trusted: then none of its rules is sent. */
  readonly isRestricted: boolean;
  /** The items that the next request holds, tools included, and their tokens. */
  readonly items: number;
  readonly tokens: number;
  /** The agent for whose chats the include modes are changed; null for all chats. */
  readonly agent: string | null;
  /** So many requests of the chat are behind `lastUse` of its rows. */
  readonly requests: number;
  readonly sections: readonly ManagerSection[];
  readonly tools: ToolSection;
}

/** The tools by their servers. */
export interface ToolSection {
  /** How many tools the next request holds, and how many there are. */
  readonly held: number;
  readonly total: number;
  readonly tokens: number;
  /** So many replies of the chat are behind `lastCall` of its rows. */
  readonly replies: number;
  /** That tools of the chat are not offered, because its model takes none; null otherwise. */
  readonly notOffered: string | null;
  /** Whether the model of the chat can load tools: else none are offered on demand, and those that are set so are picked. */
  readonly loadsTools: boolean;
  readonly mistakes: readonly ServersMistake[];
  /** Whether the settings of the chat switch off Loupe's own tools, which then have no row. */
  readonly lacksOwn: boolean;
  /** Empty while the section is closed. */
  readonly servers: readonly ServerRow[];
}

/** What is wrong with the configuration of servers: a sentence, and where it can be mended. */
export interface ServersMistake {
  readonly place: string;
  readonly line: number | null;
  readonly text: string;
}

export interface ServerRow {
  /** That of the server for the agent's profile. */
  readonly key: string;
  readonly name: string;
  /** `gone`: no server has this name any more, but a tool of it is in the chat. */
  readonly status: 'stopped' | 'starting' | 'running' | 'failed' | 'gone';
  /** Why it failed; null otherwise. */
  readonly problem: string | null;
  /** Whether it is one that Loupe starts: it has a log. */
  readonly hasLog: boolean;
  /** How many of its tools are in the chat. `off`: its tools cannot be added. */
  readonly state: 'in' | 'some' | 'out' | 'off';
  readonly includeMode: ManagedInclude;
  readonly held: number;
  readonly total: number;
  /** Of the tools that the next request holds, or of all where it holds none; null where no tool is known. */
  readonly tokens: number | null;
  /** Whether none of its tools was called for long. */
  readonly isUnused: boolean;
  /** How many replies came after the one that last called a tool of it: 0 for none; null where none did. */
  readonly lastCall: number | null;
  /** Null while it is closed. */
  readonly tools: readonly ToolRow[] | null;
  /** Those that match beyond `tools`. */
  readonly more: number;
}

export interface ToolRow extends Pick<ManagerRow, 'key' | 'name' | 'state' | 'score' | 'tokens' | 'note'> {
  readonly includeMode: ManagedInclude;
  /** At most `LONGEST_DESCRIPTION` characters of it. */
  readonly description: string;
  /** How many replies came after the one that last called it: 0 for none; null where none did. */
  readonly lastCall: number | null;
}

export interface ManagerSection {
  readonly type: ListedType;
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
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand' | null;
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
