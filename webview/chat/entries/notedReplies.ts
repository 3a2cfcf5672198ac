import type { EntryView } from '../../../src/protocol/panel/view.js';

/** Ids of the replies whose ending is told by a note below them, so that they do not tell it, too. */
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

/** The id of the last entry that has all that the hints explain; null without one. */
export function explainedReply(entries: readonly EntryView[]): string | null {
  return entries.findLast((entry) => entry.kind === 'assistant' && entry.status === 'done' && entry.usage !== null)?.id ?? null;
}
