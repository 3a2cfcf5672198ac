import type { EntryView } from '../../../src/protocol/panel/view.js';

/** Returns the ids of replies whose ending is already shown by a note below the reply. */
export function notedReplies(entries: readonly EntryView[]): ReadonlySet<string> {
  const noted = new Set<string>();
  let ending: string | null = null;
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'runNote') {
      ending = entry.status;
    } else if (entry.kind === 'user') {
      ending = null;
    } else if (entry.kind === 'assistant' && entry.status === ending) {
      noted.add(entry.id);
    }
  }
  return noted;
}

/** Returns the id of the last entry that shows everything the hints explain. Null for none. */
export function explainedReply(entries: readonly EntryView[]): string | null {
  return entries.findLast((entry) => entry.kind === 'assistant' && entry.status === 'done' && entry.usage !== null)?.id ?? null;
}
