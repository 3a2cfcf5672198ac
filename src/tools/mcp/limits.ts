const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const MIB = 1024 * 1024;

/** Times in ms and sizes in bytes. Tests use smaller values. */
export interface McpLimits {
  /** Maximum time from the start of a server until the server is ready. */
  readonly startMs: number;
  /** Maximum wait for the reply about the protocol revision. Without a reply, Loupe uses an older revision. */
  readonly probeMs: number;
  /** Maximum time of a call without progress messages. */
  readonly silentCallMs: number;
  readonly longestCallMs: number;
  /** Time that a server has to end after Loupe closes its input, and again after SIGTERM. */
  readonly endMs: number;
  /** Wait before the restart after the first crash. Each further crash doubles the wait. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Time of normal work after which the next crash is treated as a first crash. */
  readonly steadyMs: number;
  /** Maximum time in which the user signs in with the browser. */
  readonly signInMs: number;
  readonly messageBytes: number;
  readonly resultBytes: number;
  readonly logBytes: number;
}

export const MCP_LIMITS: McpLimits = {
  // Includes a download at the first start: `npx` and `uvx` fetch about 50 MB.
  startMs: 2 * MINUTE_MS,
  // Older servers usually reject the request for the revision at once; a few never reply. 20 s cover a slow start.
  probeMs: 20 * SECOND_MS,
  // The usual limit of MCP clients. Servers send progress messages more often.
  silentCallMs: MINUTE_MS,
  // A build or test run can take minutes. Users do not wait longer for one tool call.
  longestCallMs: 10 * MINUTE_MS,
  // Equals the wait of the official SDK.
  endMs: 2 * SECOND_MS,
  firstWaitMs: SECOND_MS,
  longestWaitMs: MINUTE_MS,
  steadyMs: MINUTE_MS,
  // A sign-in can include a password manager, a second factor and a choice of permissions.
  signInMs: 10 * MINUTE_MS,
  // A message must fit into memory. 64 MiB allows large results, which Loupe cuts later, and stops endless lines.
  messageBytes: 64 * MIB,
  // More than any model or user can read.
  resultBytes: 16 * MIB,
  // About a thousand lines, enough to find out why a server failed.
  logBytes: 64 * 1024,
};

/** Formats a size: `16 MiB`, `3.4 KiB`. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes < MIB ? ['KiB', 1024] : ['MiB', MIB];
  return `${String(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}
