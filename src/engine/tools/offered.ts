import type { ApprovalScope, AskedTool } from '../chat/calls/calls.js';
import type { MadeEdit, UnappliedEdit } from '../chat/calls/toolEdit.js';
import type { JsonObject } from '../json.js';
import type { ToolCallOptions, ToolOutcome } from '../ports.js';

/** What a tool did. A failure of the tool is an outcome with `isError`. */
export interface CallOutcome extends ToolOutcome {
  /** The files that it is known to have changed; others are found by watching. */
  readonly edits: readonly MadeEdit[];
  /** The edit of a file that it was asked for, and could not make. */
  readonly unapplied?: UnappliedEdit;
}

/** A tool that a model may call in one run. */
export interface CallableTool {
  /** What the user is asked; null for a tool that needs no approval. */
  readonly asks: AskedTool | null;
  /** What the user has allowed before; null where each call asks. */
  readonly allowed: Extract<ApprovalScope, 'chat' | 'always'> | null;
  /** Rejects only when the signal aborts. */
  call(args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
}

/** The tools of one run: what was not offered to the model never runs. */
export interface RunTools {
  /**
   * By the name that the model calls; null where no such tool was offered, `notLoaded` where it is one on demand that the model has not
   * loaded. Rejects when nothing could be offered, or the signal aborts.
   */
  find(name: string, signal: AbortSignal): Promise<CallableTool | 'notLoaded' | null>;
}
