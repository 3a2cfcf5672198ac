import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { AssistantEntry } from '../../../src/protocol/panel/view.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';

export const ASSISTANT_ENTRY: AssistantEntry = {
  ...{
    kind: 'assistant',
    id: 'a',
    isPinned: false,
    excluded: null,
    parts: [],
    files: [],
    status: 'done',
    finishReason: null,
    answeredBy: null,
    extras: [],
  },
  ...{ model: null, at: 0, usage: null, limits: [], contextUsed: null },
};

export const TOOL_CALL: ToolCallView = {
  ...{ type: 'toolCall', callId: 'c', name: 'read_file', serverName: null, args: '{}', subject: '', status: { kind: 'done' } },
  ...{ isSplitOff: false, approval: null, durationMs: null, result: null },
};

/** The scope of an entry's view. `open` names its open parts. */
export function entryScope(...open: readonly string[]): EntryScope {
  return {
    ...{ output: null, contextRows: null, chatId: 'c', isLocked: false, isEdited: false, isEndNoted: false, userMessageId: 'u' },
    ...{ exclusion: null, turnExclusion: null, neededAgain: null },
    ...{ introduction: null, from: new EventTarget(), isOpen: (part) => open.includes(part), toggle: () => undefined },
  };
}
