import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';

/** Returns the calls with a question to the user. */
export function waitingCalls(entries: readonly EntryView[]): readonly ToolCallView[] {
  return entries.flatMap((entry) =>
    entry.kind === 'assistant'
      ? entry.parts.filter((part) => part.type === 'toolCall').filter(({ status }) => status.kind === 'waiting' && status.question !== null)
      : [],
  );
}
