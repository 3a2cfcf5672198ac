import type { ToolProgress } from '../../engine/ports.js';

/*
 * What the panel shows of the calls of tools in a reply: call, approval and result are one row.
 */

/** A result, or the beginning of a large one. */
export interface ToolResultView {
  /** The message that holds it, from which all of it can be opened; null while its round goes on. */
  readonly messageId: string | null;
  readonly text: string;
  /** `text` is only the first `characters` characters of a result of `bytes` UTF-8 bytes. Null: it is the whole. */
  readonly cut: { readonly characters: number; readonly bytes: number } | null;
  /** Estimated. */
  readonly tokens: number;
}

/** What the user is asked before a tool runs. */
export interface ToolQuestionView {
  /** Whether its server says that it only reads. */
  readonly saysItOnlyReads: boolean;
  /** Whether the tool was allowed always, and is not as it was then. */
  readonly hasChanged: boolean;
  /** What an edit of a file would change; null for other tools, and until that is known. */
  readonly change: EditChangeView | null;
}

/** Lines that an edit would add and remove, or why it would change nothing. */
export type EditChangeView =
  | { readonly ok: true; readonly added: number; readonly removed: number }
  | { readonly ok: false; readonly reason: string };

/** What was answered to the question whether a call may run. */
export interface ToolApprovalView {
  readonly scope: 'once' | 'chat' | 'always' | 'refused';
  /** What the model was told about a refusal; null without a reason. */
  readonly reason: string | null;
  /** What is allowed, to take it back; null for what holds for nothing but this call, and for what was taken back. */
  readonly binding: string | null;
}

export type ToolCallStatus =
  /** The model is writing it, or its round has not reached it. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'waiting'; readonly question: ToolQuestionView }
  /** `progress` is what its server reported last; null without. */
  | { readonly kind: 'running'; readonly startedAt: number; readonly progress: ToolProgress | null }
  /** `lost`: it has no result, because VS Code was closed. */
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'refused' | 'lost' };

export interface ToolCallView {
  readonly type: 'toolCall';
  readonly callId: string;
  /** As its server names the tool. */
  readonly name: string;
  /** Null for a tool of Loupe. */
  readonly serverName: string | null;
  /** As the model wrote them. */
  readonly args: string;
  /** The argument that tells most, such as a path; empty for none. */
  readonly subject: string;
  /** Whether its arguments came as a second object in those of the call before. */
  readonly isSplitOff: boolean;
  readonly status: ToolCallStatus;
  /** Null before it is answered, and for a tool that needs no approval. */
  readonly approval: ToolApprovalView | null;
  /** Null until the tool has ended. */
  readonly durationMs: number | null;
  readonly result: ToolResultView | null;
}

/** A run that waits between two rounds of calls. */
export interface StepQuestionView {
  readonly runId: string;
  /** The rounds that it has done. */
  readonly steps: number;
  /** What it has cost so far; null when unknown. */
  readonly cost: number | null;
}
