/*
 * Servers that a message waits for, and one that needs the user's permission to start.
 */

/** A server of the workspace that the user has not allowed yet. */
export interface ServerQuestionView {
  /** Identifies the server with its whole configuration: a changed command needs a new answer. */
  readonly id: string;
  readonly name: string;
  /** Where it is configured, in words that the user knows. */
  readonly place: string;
  /** `stdio` runs a command on this computer, `http` connects to an address. */
  readonly type: 'stdio' | 'http';
  /** The command line or the address, as configured. */
  readonly line: string;
  /** The working folder of the command. Null for the workspace folder. */
  readonly cwd: string | null;
  /** The names of its variables or headers. Their values may be secret. */
  readonly given: readonly string[];
}
