import type { ApprovalSubject } from '../../../engine/chat/calls/calls.js';
import type { SecretRead, Tool } from '../../../engine/tools/tool.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import type { JsonObject } from '../../../engine/json.js';
import type { ToolCallOptions } from '../../../engine/ports.js';

/** The subject of an approval, without the folders of the workspace. */
export type ToolSubject = {
  readonly [K in ApprovalSubject['kind']]: Omit<Extract<ApprovalSubject, { readonly kind: K }>, 'folders'>;
}[ApprovalSubject['kind']];

/** One of Loupe's own tools for the workspace. Invalid arguments give a result with `isError`. */
export interface WorkspaceTool extends Tool {
  run(args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
  /** Returns the file with secrets that a call reads, or null. Missing for a tool that returns no texts of files. */
  secretRead?(args: JsonObject): Promise<SecretRead | null>;
  /** Returns the path of a file that can start programs, if a call edits one. Missing for tools that edit no files. */
  setupFile?(args: JsonObject): Promise<string | null>;
  /** Returns what an approval of the call covers. Null, or without this method: all calls of the tool. */
  covers?(args: JsonObject): Promise<ToolSubject | null>;
}

export function succeededCall(text: string): CallOutcome {
  return { content: [{ type: 'text', text }], isError: false, edits: [] };
}

export function failedCall(text: string): CallOutcome {
  return { content: [{ type: 'text', text }], isError: true, edits: [] };
}
