import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { toolCall as writtenCall } from '../views.js';

/** A call of a tool that is done. */
export function toolCall(callId: string, name: string, args: string, changes: Partial<ToolCallView>): ToolCallView {
  return writtenCall(callId, args, { name, status: { kind: 'done' }, ...changes });
}
