import type { IncludeMode } from '../record/item.js';
import type { JsonObject } from '../json.js';
import type { ToolCallOptions } from '../ports.js';
import type { CallOutcome } from './offered.js';

/** A tool that a server offers. */
export interface Tool {
  /** As its server names it: unique among the tools of that server. */
  readonly name: string;
  /** For people; null where the server gives none. */
  readonly title: string | null;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  /** Whether its server says that it only reads. That is shown and never trusted. */
  readonly saysItOnlyReads: boolean;
}

/** `stopped` servers start when they are first needed. */
export type ServerStatus = 'stopped' | 'starting' | 'running' | 'failed';

/** Offers tools: Loupe itself, an MCP server, or an extension of VS Code. */
export interface ToolServer {
  /** Unique among all servers. */
  readonly name: string;
  readonly status: ServerStatus;
  /** How its tools get into chats, where no agent says otherwise. */
  readonly include: IncludeMode;
  /** Why it failed, for the user; null otherwise. */
  readonly problem: string | null;
  /** In a fixed order; another array once they change. Of a server that does not run: as it last offered them, and none where that is not known. */
  readonly tools: readonly Tool[];
  /** What an approval of its tools is bound to: changes whenever the configuration of the server does. */
  readonly identity: string;
  /** Resolves when the user has answered whether it may start, at once where there is nothing to ask, and when the signal aborts. Never rejects. */
  allowed(signal: AbortSignal): Promise<void>;
  /** Starts it where it does not run. Resolves when it runs or has failed; never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** Runs a tool, and starts the server for it. A failure of the tool is an outcome with `isError`. Rejects only when the signal aborts. */
  call(tool: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
}
