/*
 * What the panel shows of servers that a message waits for, and of one that may not start before the user allows it.
 */

/** A server of the workspace that the user has not allowed yet. */
export interface ServerQuestionView {
  /** Names the server with all that is configured for it: another command is another question. */
  readonly id: string;
  readonly name: string;
  /** Where it is configured, as the user knows it. */
  readonly place: string;
  /** `stdio` runs a command on this computer, `http` reaches an address. */
  readonly type: 'stdio' | 'http';
  /** The command line or the address, as it is configured. */
  readonly line: string;
  /** The folder that the command runs in; null for that of the workspace. */
  readonly cwd: string | null;
  /** The names of variables or headers that it is given. Their values may be secret. */
  readonly given: readonly string[];
}
