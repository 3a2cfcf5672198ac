import type { ApprovalScope } from '../../engine/chat/calls/calls.js';
import type { ToolProgress } from '../../engine/ports.js';

/*
 * Tool calls of a reply in the panel. A call, its approval and its result are one row.
 */

export interface ToolResultView {
  /** Id of the message that contains the whole result. Null while the step runs. */
  readonly messageId: string | null;
  readonly text: string;
  /** Set if `text` has only the first `characters` characters of a result of `bytes` UTF-8 bytes. Null if complete. */
  readonly cut: { readonly characters: number; readonly bytes: number } | null;
  /** Estimated tokens of the result. */
  readonly tokens: number;
}

export interface ToolQuestionView {
  /** Whether the MCP server declares the tool as read-only. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user allowed the tool for all chats, but the tool has changed since then. */
  readonly hasChanged: boolean;
  /** What shows that the call reads a file with secrets. Null for other calls. */
  readonly secret: 'name' | 'text' | null;
  /** What the call would change in a file. Null for other tools, and until the change is known. */
  readonly change: EditChangeView | null;
}

/** Number of lines that an edit would add and remove, or why the edit cannot be applied. */
export type EditChangeView =
  | { readonly ok: true; readonly added: number; readonly removed: number }
  | { readonly ok: false; readonly reason: string };

export interface ToolApprovalView {
  readonly scope: ApprovalScope;
  /** The user's reason for refusing the call, which the model receives. Null if the user gave none. */
  readonly reason: string | null;
  /** Id of the approval, to revoke it. Null if the approval covers only this call, or was revoked. */
  readonly binding: string | null;
}

export type ToolCallStatus =
  /** The model is still writing the call, or earlier calls of the step are running. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'waiting'; readonly question: ToolQuestionView }
  /** `progress`: the latest progress report of the MCP server. Null without a report. */
  | { readonly kind: 'running'; readonly startedAt: number; readonly progress: ToolProgress | null }
  /** `lost`: the call has no result because VS Code was closed. */
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'refused' | 'lost' };

export interface ToolCallView {
  readonly type: 'toolCall';
  readonly callId: string;
  /** Name of the tool on its MCP server, or the name that the model used while the server is unknown. */
  readonly name: string;
  /** Name of the MCP server. Null for a tool of Loupe, and when unknown. */
  readonly serverName: string | null;
  /** The arguments as the model wrote them. */
  readonly args: string;
  /** The most informative argument of the call, such as a path. Empty without such an argument. */
  readonly subject: string;
  /** Whether the model wrote these arguments as a second object in the previous call. Loupe then made two calls. */
  readonly isSplitOff: boolean;
  readonly status: ToolCallStatus;
  /** Null until the user answers, and for a tool that needs no approval. */
  readonly approval: ToolApprovalView | null;
  /** Duration of the call in milliseconds. Null until the tool has ended. */
  readonly durationMs: number | null;
  readonly result: ToolResultView | null;
}

/** The question whether a run may continue. The run waits between two steps. */
export interface StepQuestionView {
  readonly runId: string;
  /** Number of steps that the run has completed. */
  readonly steps: number;
  /** The cost of the run so far. Null when unknown. */
  readonly cost: number | null;
}
