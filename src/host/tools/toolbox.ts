import type { ContextItemBase } from '../../engine/record/item.js';
import type { ResourceTexts } from '../context/resolveContext.js';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import type { CallableTool } from '../../engine/tools/offered.js';
import type { ServerQuestionView } from '../../protocol/questions.js';
import type { Tool, ToolServer } from '../../engine/tools/tool.js';

export interface EarlierApproval {
  /** Whether the server and the tool are unchanged since the approval. */
  readonly isStillValid: boolean;
  readonly tool: ApprovedTool;
}

/** The parts of a tool that the user approved, stored to detect later changes. */
export interface ApprovedTool extends Pick<Tool, 'description' | 'inputSchema'> {
  readonly identity: string;
}

/** An approval for all chats. */
export interface StoredApproval {
  readonly target: CallTarget;
  readonly tool: ApprovedTool;
}

export interface StoredApprovalList {
  readonly approvals: readonly StoredApproval[];
  /** The names of files that cannot be read. They allow nothing. */
  readonly unreadable: readonly string[];
}

/** What the user allowed for all chats. Methods reject with a system error if the storage fails. */
export interface ApprovalStore {
  before(target: CallTarget): Promise<EarlierApproval | null>;
  allow(target: CallTarget, tool: ApprovedTool): Promise<void>;
  revoke(target: CallTarget): Promise<void>;
  list(): Promise<StoredApprovalList>;
}

export interface ChatResources extends ResourceTexts {
  /** Reads all resources among the items of a chat again. Never rejects. */
  readAll(items: Iterable<ContextItemBase>, signal: AbortSignal): Promise<void>;
}

export interface Toolbox {
  /** Returns all servers. Empty in Restricted Mode. */
  servers(): readonly ToolServer[];
  /** Returns the oldest question whether a server may start. Null without an open question. */
  startQuestion(): ServerQuestionView | null;
  answerStart(question: string, isAllowed: boolean): boolean;
  /** Returns a tool that models can call without a definition in the request. The practice model has such a tool. */
  builtIn(name: string): CallableTool | null;
  readonly always: ApprovalStore;
  readonly resources: ChatResources;
}

export function serverNamed(toolbox: Pick<Toolbox, 'servers'>, name: string): ToolServer | undefined {
  return toolbox.servers().find((server) => server.name === name);
}
