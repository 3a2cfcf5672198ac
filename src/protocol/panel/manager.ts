/*
 * The context pane of a chat: the items that its requests hold, and those that they could hold.
 */

/** The item types with a section, in this order. */
export const MANAGED_TYPES = ['rule', 'reference', 'skill', 'tool', 'file'] as const;
export type ManagedType = (typeof MANAGED_TYPES)[number];
/** The types with a row for each item. Tools are listed below their servers. */
export type ListedType = Exclude<ManagedType, 'tool'>;

/** Most rows of a section: as many as the panel can reorder within a frame at a keystroke. Search finds the others. */
export const MOST_MANAGED = 50;

export const MOST_OPEN_SERVERS = 100;

/** Most characters of a tool's description in its row. The editor shows all of it. */
export const LONGEST_DESCRIPTION = 500;

/** The include modes that an agent can set for an item. */
export const AGENT_INCLUDES = ['always', 'manual', 'agent', 'onDemand', 'off'] as const;
export type ManagedInclude = (typeof AGENT_INCLUDES)[number];

/** Replies without a mention of an item, after which it counts as unused. As in the reference implementation. */
export const UNUSED_REPLIES = 20;

/** The visible part of the pane. Rows are sent only for open sections. */
export interface ManagedSections {
  /** Search text for names, paths and descriptions. With a text, all sections are open. */
  readonly search: string;
  readonly open: readonly ManagedType[];
  /** The names of the servers whose tools are shown. */
  readonly servers: readonly string[];
  /** The key of the expanded row. Null without one. */
  readonly proof: string | null;
}

export interface ManagerView {
  /** Whether the folder is not trusted. Its rules are then not sent. */
  readonly isRestricted: boolean;
  /** Number of items in the next request, including tools, and their tokens. */
  readonly items: number;
  readonly tokens: number;
  /** The agent whose include modes the pane changes. Null for all chats. */
  readonly agent: string | null;
  /** Number of requests that `lastUse` of the rows is based on. */
  readonly requests: number;
  readonly sections: readonly ManagerSection[];
  readonly tools: ToolSection;
}

export interface ToolSection {
  /** Number of tools in the next request, and of all tools. */
  readonly held: number;
  readonly total: number;
  readonly tokens: number;
  /** Number of replies that `lastCall` of the rows is based on. */
  readonly replies: number;
  /** A note that tools are not offered because the model does not support them. Null otherwise. */
  readonly notOffered: string | null;
  /** Whether the chat's model can load tools on demand. If not, tools with that mode are picked for each message. */
  readonly loadsTools: boolean;
  readonly mistakes: readonly ServersMistake[];
  /** Whether the chat's settings turn off Loupe's own tools. They then have no row. */
  readonly lacksOwn: boolean;
  /** Empty while the section is closed. */
  readonly servers: readonly ServerRow[];
}

/** A mistake in the configuration of servers, and its place. */
export interface ServersMistake {
  readonly place: string;
  readonly line: number | null;
  readonly text: string;
}

export interface ServerRow {
  /** Key of the server in the agent's profile. */
  readonly key: string;
  readonly name: string;
  /** The last status: the server is no longer configured, but the chat still has a tool of it. */
  readonly status: 'stopped' | 'starting' | 'running' | 'failed' | 'gone';
  /** Why it failed. Null otherwise. */
  readonly problem: string | null;
  /** Whether Loupe starts the server. It then has a log. */
  readonly hasLog: boolean;
  /** How many of its tools are in the chat. `off`: its tools cannot be added. */
  readonly state: 'in' | 'some' | 'out' | 'off';
  readonly includeMode: ManagedInclude;
  readonly held: number;
  readonly total: number;
  /** Tokens of its tools in the next request, or of all its tools if the request has none. Null if no tool is known. */
  readonly tokens: number | null;
  /** Whether none of its tools was called for a long time. */
  readonly isUnused: boolean;
  /** Replies since the one that last called one of its tools: 0 for the latest reply. Null without a call. */
  readonly lastCall: number | null;
  /** Null while the server is collapsed. */
  readonly tools: readonly ToolRow[] | null;
  /** Number of matching tools that `tools` does not have. */
  readonly more: number;
}

export interface ToolRow extends Pick<ManagerRow, 'key' | 'name' | 'state' | 'score' | 'tokens' | 'note'> {
  readonly includeMode: ManagedInclude;
  /** At most `LONGEST_DESCRIPTION` characters. */
  readonly description: string;
  /** Replies since the one that last called the tool: 0 for the latest reply. Null without a call. */
  readonly lastCall: number | null;
}

export interface ManagerSection {
  readonly type: ListedType;
  /** Number of items in the next request, and of all items. */
  readonly held: number;
  readonly total: number;
  /** Tokens of the items in the next request. */
  readonly tokens: number;
  /** Empty while the section is closed. */
  readonly rows: readonly ManagerRow[];
  /** Number of matching items that `rows` does not have. */
  readonly more: number;
}

export interface ManagerRow {
  readonly key: string;
  readonly name: string;
  /** The path of its file if it differs from the name. Null otherwise. */
  readonly source: string | null;
  /** `in`: in the chat. `picked`: in the next request for its message or files. `out`: neither. `off`: never added. */
  readonly state: 'in' | 'picked' | 'out' | 'off';
  /** How it gets into chats. Null for items that only the user adds. */
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand' | null;
  /** How well it matches the draft. Null if the match does not matter. */
  readonly score: number | null;
  /** Null if it cannot be read. */
  readonly tokens: number | null;
  /** A problem, or why it is not included. Null without a note. */
  readonly note: string | null;
  /** The line of its file that the note is about. */
  readonly place: { readonly path: string; readonly line: number } | null;
  /** Requests since the last one that held it: 0 for the latest request. Null if no recent request held it. */
  readonly lastUse: number | null;
  /** Whether nothing has mentioned it for a long time. */
  readonly isUnused: boolean;
}
