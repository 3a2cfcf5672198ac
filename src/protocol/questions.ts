/*
 * A request that waits until the user approves its cost. All prices are in US dollars.
 */

export interface SpendQuestionView {
  readonly id: string;
  /** The purpose of the request. `request`: a reply to the user. */
  readonly about: 'request' | 'summary' | 'shortening' | 'title';
  /** The expected cost of the request and its reply. Null when unknown. */
  readonly cost: number | null;
  /** The part of this cost that is for the reply. Null when unknown, or when the cost does not include the reply. */
  readonly replyCost: number | null;
  readonly tokens: number;
  /** The largest parts of the input, largest first. The cost of a part is null when unknown. */
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly cost: number | null }[];
  readonly reason: SpendReason;
}

/** The limit that the request exceeds. `spent`: the amount so far, a lower bound if `isAtLeast` is true. */
export type SpendReason =
  | { readonly kind: 'dear'; readonly limit: number }
  | { readonly kind: 'chatCap' | 'dayCap'; readonly limit: number; readonly spent: number; readonly isAtLeast: boolean };

/*
 * MCP servers that a message waits for, and an MCP server that needs the user's permission to start.
 */

/** An MCP server of the workspace that the user has not allowed yet. */
export interface ServerQuestionView {
  /** Identifies the server and its whole configuration. If the command changes, Loupe asks the user again. */
  readonly id: string;
  readonly name: string;
  /** Where the server is configured, in words that the user understands. */
  readonly place: string;
  /** `stdio` runs a command on this computer, `http` connects to an address. */
  readonly type: 'stdio' | 'http';
  /** The server's command line or address, as configured. */
  readonly line: string;
  /** Working folder of the server's command. Null for the workspace folder. */
  readonly cwd: string | null;
  /** The environment variables or headers for the server, as `NAME=value`. Hides values that are probably keys. */
  readonly given: readonly string[];
}
