import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';

export function waitingCalls(entries: readonly EntryView[]): readonly ToolCallView[] {
  return entries.flatMap((entry) =>
    entry.kind === 'assistant'
      ? entry.parts.filter((part) => part.type === 'toolCall').filter(({ status }) => status.kind === 'waiting')
      : [],
  );
}
