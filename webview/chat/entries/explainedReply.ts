import type { EntryView } from '../../../src/protocol/view.js';

/** The id of the last entry that has all that the hints explain; null without one. */
export function explainedReply(entries: readonly EntryView[]): string | null {
  return entries.findLast((entry) => entry.kind === 'assistant' && entry.status === 'done' && entry.usage !== null)?.id ?? null;
}
