import type { ApprovalScope, AskedTool } from '../chat/calls/calls.js';
import type { MadeEdit, UnappliedEdit } from '../chat/calls/toolEdit.js';
import type { JsonObject } from '../json.js';
import type { ToolCallOptions, ToolOutcome } from '../ports.js';

/** The result of a tool call. A failure of the tool is an outcome with `isError`. */
export interface CallOutcome extends ToolOutcome {
  /** The file changes that the call reported. Loupe finds other changes by watching files. */
  readonly edits: readonly MadeEdit[];
  /** The edit that the call requested, if the tool could not apply it. */
  readonly unapplied?: UnappliedEdit;
  /** The text that later turns send instead of the content. */
  readonly reference?: string;
}

export interface CallableTool {
  /** The question to the user; null for a tool that needs no approval. */
  readonly asks: AskedTool | null;
  /** How long the user's earlier approval applies; null if each call needs an approval. */
  readonly allowed: Extract<ApprovalScope, 'turn' | 'chat' | 'always'> | null;
  /** Rejects only when the signal aborts. */
  call(args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
}

/** The tools of one run. A tool that was not offered to the model never runs. */
export interface RunTools {
  /**
   * Finds a tool by the name that the model calls. The question to the user can depend on the arguments of the call.
   * Null if no such tool was offered, `notLoaded` for an on-demand tool that the model has not loaded. Rejects when the
   * tools could not be offered, or when the signal aborts.
   */
  find(name: string, args: JsonObject, signal: AbortSignal): Promise<CallableTool | 'notLoaded' | null>;
}
