import type { ToolCallView } from '../../../src/protocol/toolCalls.js';

/** A call of a tool that is done. */
export function toolCall(callId: string, name: string, args: string, changes: Partial<ToolCallView>): ToolCallView {
  return {
    type: 'toolCall',
    callId,
    name,
    serverName: null,
    args,
    subject: '',
    status: { kind: 'done' },
    approval: null,
    durationMs: null,
    result: null,
    ...changes,
  };
}
