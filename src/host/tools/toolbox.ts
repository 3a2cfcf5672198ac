import type { ContextItemBase } from '../../engine/record/item.js';
import type { ResourceTexts } from '../context/resolveContext.js';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import type { CallableTool } from '../../engine/tools/offered.js';
import type { ServerQuestionView } from '../../protocol/servers.js';
import type { Tool, ToolServer } from '../../engine/tools/tool.js';

/** The user's earlier approval of a tool. */
export interface EarlierApproval {
  /** Whether server and tool have not changed since the approval. */
  readonly isStillValid: boolean;
  readonly tool: ApprovedTool;
}

/** The parts of a tool that the user approved. Stored to detect later changes. */
export interface ApprovedTool extends Pick<Tool, 'description' | 'inputSchema'> {
  readonly identity: string;
}

/** Tools that the user allowed for all chats. Methods reject with a system error when the storage fails. */
export interface ApprovalStore {
  before(target: CallTarget): Promise<EarlierApproval | null>;
  allow(target: CallTarget, tool: ApprovedTool): Promise<void>;
  revoke(target: CallTarget): Promise<void>;
}

export interface ChatResources extends ResourceTexts {
  /** Reads all resources among a chat's items again. Never rejects. */
  readAll(items: Iterable<ContextItemBase>, signal: AbortSignal): Promise<void>;
}

/** Provides the tools for the chats of a VS Code window. */
export interface Toolbox {
  /** Returns all servers. Empty in an untrusted workspace. */
  servers(): readonly ToolServer[];
  /** Returns the oldest question to the user whether a server may start, or null. */
  startQuestion(): ServerQuestionView | null;
  answerStart(question: string, isAllowed: boolean): boolean;
  /** Returns a tool that works without a definition in the request: the practice model calls its own tool that way. */
  builtIn(name: string): CallableTool | null;
  readonly always: ApprovalStore;
  readonly resources: ChatResources;
}

export function serverNamed(toolbox: Pick<Toolbox, 'servers'>, name: string): ToolServer | undefined {
  return toolbox.servers().find((server) => server.name === name);
}
