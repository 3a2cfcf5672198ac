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
  /** Names of the environment variables or headers for the server. Their values may be secret. */
  readonly given: readonly string[];
}
