import type { ContextItemBase } from '../../engine/record/item.js';
import type { ResourceTexts } from '../context/resolveContext.js';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import type { CallableTool } from '../../engine/tools/offered.js';
import type { ServerQuestionView } from '../../protocol/servers.js';
import type { Tool, ToolServer } from '../../engine/tools/tool.js';

/** What the user has allowed with a tool. */
export interface AllowedBefore {
  /** Whether the server and the tool are as they were then. */
  readonly holds: boolean;
  /** As it was then. */
  readonly tool: AllowedTool;
}

/** All that the user allows with a tool, so that it can be compared with what it has become. */
export interface AllowedTool extends Pick<Tool, 'description' | 'inputSchema'> {
  /** See `ToolServer`. */
  readonly identity: string;
}

/** What the user has allowed for all chats. The methods reject with a system error when it cannot be read or kept. */
export interface AlwaysAllowed {
  /** Null where nothing was allowed. */
  before(target: CallTarget): Promise<AllowedBefore | null>;
  allow(target: CallTarget, tool: AllowedTool): Promise<void>;
  takeBack(target: CallTarget): Promise<void>;
}

/** The resources of servers that chats hold. */
export interface HeldResources extends ResourceTexts {
  /** Reads those among the items of a chat anew. Never rejects. */
  readAll(items: Iterable<ContextItemBase>, signal: AbortSignal): Promise<void>;
}

/** All that offers tools to the chats of a window. */
export interface Toolbox {
  /** None in a workspace that is not trusted. */
  servers(): readonly ToolServer[];
  /** The server that has waited longest for the user's leave to start; null when none does. */
  startQuestion(): ServerQuestionView | null;
  /** Answers that. Returns whether it was still open. */
  answerStart(question: string, isAllowed: boolean): boolean;
  /** Tools that need no offer: the practice model calls its own unasked. */
  builtIn(name: string): CallableTool | null;
  readonly always: AlwaysAllowed;
  readonly resources: HeldResources;
}

/** The server of that name; undefined where there is none. */
export function serverNamed(toolbox: Pick<Toolbox, 'servers'>, name: string): ToolServer | undefined {
  return toolbox.servers().find((server) => server.name === name);
}
