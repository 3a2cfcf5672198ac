import type { ApprovalSubject, SignOfSecrets } from '../chat/calls/calls.js';
import type { IncludeMode } from '../record/item.js';
import type { JsonObject } from '../json.js';
import type { ToolCallOptions } from '../ports.js';
import type { CallOutcome } from './offered.js';

export interface Tool {
  /** The server's name for the tool: unique among the tools of that server. */
  readonly name: string;
  /** The title for users; null if the server gives no title. */
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Whether the server describes the tool as read-only. Loupe shows this, but does not rely on it. */
  readonly saysItOnlyReads: boolean;
}

/** `stopped` servers start on first use. */
/** `wanted`: the server needs the user's sign-in. `done`: Loupe has tokens. `none`: neither, or unknown. */
export type SignInState = 'none' | 'wanted' | 'done';

export type ServerStatus = 'stopped' | 'starting' | 'running' | 'failed';

/** A file that may contain secrets, which a call reads only if the user allows it. */
export interface SecretRead {
  readonly path: string;
  readonly by: SignOfSecrets;
  /** Stores that the user allows the file. Rejects if that fails. */
  allow(): Promise<void>;
}

/** Offers tools: Loupe itself, an MCP server, or an extension of VS Code. */
export interface ToolServer {
  /** The name of the server, unique among all servers. */
  readonly name: string;
  readonly status: ServerStatus;
  /** How Loupe includes the tools in chats, unless an agent sets another mode. */
  readonly include: IncludeMode;
  /** The reason of a failure, as a text for the user. Null without a failure. */
  readonly problem: string | null;
  /** The tools in a fixed order, as a new array after each change. A stopped server lists its last known tools. */
  readonly tools: readonly Tool[];
  /** Identifies the configuration of the server. An approval of a tool applies only to this identity. */
  readonly identity: string;
  /** Resolves when the user allows or refuses the start, at once if no answer is needed, or on abort. Never rejects. */
  allowed(signal: AbortSignal): Promise<void>;
  /** Starts the server if it does not run. Resolves when it runs or has failed; never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the file with secrets that a call reads, or null. Missing for servers that do not read files for Loupe. */
  secretRead?(tool: string, args: JsonObject): Promise<SecretRead | null>;
  /** Returns the path of a file that can start programs, if a call edits one. Missing for servers without a check. */
  setupFile?(tool: string, args: JsonObject): Promise<string | null>;
  /** Returns what an approval of a call covers. Null: all calls of the tool. Missing for servers other than Loupe's. */
  covers?(tool: string, args: JsonObject): Promise<ApprovalSubject | null>;
  /** Runs a tool; starts the server if needed. A failed tool is an outcome with `isError`. Rejects only on abort. */
  call(tool: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
}
