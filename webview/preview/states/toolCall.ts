import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { toolCall as writtenCall } from '../views.js';

export function toolCall(callId: string, name: string, args: string, changes: Partial<ToolCallView>): ToolCallView {
  return writtenCall(callId, args, { name, status: { kind: 'done' }, ...changes });
}
