import type { EntryView } from '../../../src/protocol/panel/entries.js';

/** Returns the ids of the replies with a note below that already says how the reply ended. */
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

/** Returns the id of the last complete reply with usage, which the introduction explains. Null without such a reply. */
export function explainedReply(entries: readonly EntryView[]): string | null {
  return entries.findLast((entry) => entry.kind === 'assistant' && entry.status === 'done' && entry.usage !== null)?.id ?? null;
}
