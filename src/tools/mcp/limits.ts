const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const MIB = 1024 * 1024;

/** Times in ms, and sizes in bytes. Tests use shorter and smaller ones. */
export interface McpLimits {
  /** How long a server may take from its start until it is ready. */
  readonly startMs: number;
  /** How long a server may take to answer the question for its protocol revision, before it counts as one that does not know it. */
  readonly probeMs: number;
  /** How long a call may go on without an answer and without progress. */
  readonly silentCallMs: number;
  /** How long a call may take at all. */
  readonly longestCallMs: number;
  /** How long a server has to end after its input was closed, and again after SIGTERM. */
  readonly endMs: number;
  /** The wait after a first crash; each further one doubles it. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A server that ran for so long has not crashed in a row. */
  readonly steadyMs: number;
  readonly messageBytes: number;
  readonly resultBytes: number;
  readonly logBytes: number;
}

export const MCP_LIMITS: McpLimits = {
  // The first start of a server may download it: `npx` and `uvx` fetch some 50 MB.
  startMs: 2 * MINUTE_MS,
  // Servers of older revisions answer at once that they do not know the question, and only a few say nothing. Slow starts count in.
  probeMs: 20 * SECOND_MS,
  // The usual limit of MCP clients: servers are written to send progress more often.
  silentCallMs: MINUTE_MS,
  // A build or a test run may take minutes; nobody waits longer for one step of a reply.
  longestCallMs: 10 * MINUTE_MS,
  // The wait of the official SDK.
  endMs: 2 * SECOND_MS,
  firstWaitMs: SECOND_MS,
  longestWaitMs: MINUTE_MS,
  steadyMs: MINUTE_MS,
  // A message has to be in memory as a whole. 64 MiB lets results through that are cut then, and ends output without line breaks.
  messageBytes: 64 * MIB,
  // More than any model can read. What is beyond is of no use, not even for people.
  resultBytes: 16 * MIB,
  // Some thousand lines: enough to see why a server failed.
  logBytes: 64 * 1024,
};

/** A size for people: `16 MiB`, `3.4 KiB`. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes < MIB ? ['KiB', 1024] : ['MiB', MIB];
  return `${String(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}
