import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { AssistantEntry, SummaryEntry } from '../../../src/protocol/panel/entries.js';
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
  ...{ model: null, at: 0, usage: null, limits: [], contextUsed: null, canContinue: false, failures: [] },
};

export const TOOL_CALL: ToolCallView = {
  ...{ type: 'toolCall', callId: 'c', name: 'read_file', serverName: null, args: '{}', subject: '', status: { kind: 'done' } },
  ...{ isSplitOff: false, approval: null, durationMs: null, result: null },
};

export const SUMMARY: SummaryEntry = {
  kind: 'summary',
  id: 's',
  text: 'Goal: **tides**',
  status: 'active',
  form: 'written',
  messages: 34,
  tokens: { before: 31_866, after: 612 },
  lines: 0,
  pins: 0,
  window: null,
  kept: [],
  ...{ requests: [], paidRequests: 0, cost: null, isAtLeast: false, isPretended: false },
};

/** The scope of an entry's view. `open` names its open parts. */
export function entryScope(...open: readonly string[]): EntryScope {
  return {
    ...{ output: null, contextRows: null, replyUses: null, chatId: 'c', isLocked: false, isEdited: false, isEndNoted: false },
    ...{ isNewest: true, isNewModel: false, userMessageId: 'u', exclusion: null, turnExclusion: null, repeats: {}, neededAgain: null },
    failedServers: [],
    ...{ turn: null, onToggleTurn: () => undefined },
    ...{ introduction: null, from: new EventTarget(), isOpen: (part) => open.includes(part), toggle: () => undefined },
  };
}
