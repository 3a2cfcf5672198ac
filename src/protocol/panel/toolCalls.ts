import type { ToolProgress } from '../../engine/ports.js';

/*
 * Tool calls of a reply in the panel. Call, approval and result are one row.
 */

export interface ToolResultView {
  /** The message that contains the whole result. Null while its step runs. */
  readonly messageId: string | null;
  readonly text: string;
  /** Set if `text` has only the first `characters` characters of a result of `bytes` UTF-8 bytes. Null if complete. */
  readonly cut: { readonly characters: number; readonly bytes: number } | null;
  /** Estimated. */
  readonly tokens: number;
}

export interface ToolQuestionView {
  /** Whether its server declares the tool as read-only. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user always allowed the tool, but it has changed since. */
  readonly hasChanged: boolean;
  /** The effect of a file edit. Null for other tools, and until it is known. */
  readonly change: EditChangeView | null;
}

/** Lines that an edit would add and remove, or why it cannot be made. */
export type EditChangeView =
  | { readonly ok: true; readonly added: number; readonly removed: number }
  | { readonly ok: false; readonly reason: string };

export interface ToolApprovalView {
  readonly scope: 'once' | 'chat' | 'always' | 'refused';
  /** Why the user refused the call; sent to the model. Null without a reason. */
  readonly reason: string | null;
  /** Id of the approval, to revoke it. Null for an approval of only this call, and for a revoked one. */
  readonly binding: string | null;
}

export type ToolCallStatus =
  /** The model is writing the call, or earlier calls of the step still run. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'waiting'; readonly question: ToolQuestionView }
  /** `progress` is the latest progress report of the server. Null without one. */
  | { readonly kind: 'running'; readonly startedAt: number; readonly progress: ToolProgress | null }
  /** `lost`: it has no result because VS Code was closed. */
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'refused' | 'lost' };

export interface ToolCallView {
  readonly type: 'toolCall';
  readonly callId: string;
  /** The tool's name on its server. */
  readonly name: string;
  /** Null for a tool of Loupe. */
  readonly serverName: string | null;
  /** As the model wrote them. */
  readonly args: string;
  /** The most informative argument, such as a path. Empty without one. */
  readonly subject: string;
  /** Whether its arguments were a second object in the arguments of the previous call. */
  readonly isSplitOff: boolean;
  readonly status: ToolCallStatus;
  /** Null until the user answers, and for a tool that needs no approval. */
  readonly approval: ToolApprovalView | null;
  /** Null until the tool has ended. */
  readonly durationMs: number | null;
  readonly result: ToolResultView | null;
}

/** A run that waits between two steps. */
export interface StepQuestionView {
  readonly runId: string;
  /** Number of completed steps. */
  readonly steps: number;
  /** The cost of the run so far. Null when unknown. */
  readonly cost: number | null;
}
