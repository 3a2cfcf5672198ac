import type { Tool } from '../../../engine/tools/tool.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import type { JsonObject } from '../../../engine/json.js';
import type { ToolCallOptions } from '../../../engine/ports.js';

/** A tool of Loupe for the workspace. Arguments that do not fit the schema are an outcome with `isError`. */
export interface WorkspaceTool extends Tool {
  run(args: JsonObject, options: ToolCallOptions): Promise<CallOutcome>;
}

/** What a tool told the model. */
export function told(text: string): CallOutcome {
  return { content: [{ type: 'text', text }], isError: false, edits: [] };
}

/** Why a tool could not do its work, for the model. */
export function refusedCall(text: string): CallOutcome {
  return { content: [{ type: 'text', text }], isError: true, edits: [] };
}
