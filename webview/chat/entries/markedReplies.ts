import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { callsOf } from '../../../src/protocol/panel/turnSteps.js';

/** Returns the ids of the replies with a note below that already says how the reply ended. */
function notedReplies(entries: readonly EntryView[]): ReadonlySet<string> {
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
function explainedReply(entries: readonly EntryView[]): string | null {
  return entries.findLast((entry) => entry.kind === 'assistant' && entry.status === 'done' && entry.usage !== null)?.id ?? null;
}

interface MarkedReplies {
  readonly newest: string | null;
  /** The ids of the replies that another model wrote than the reply before. */
  readonly newModels: ReadonlySet<string>;
  readonly noted: ReadonlySet<string>;
  readonly explained: string | null;
}

/** Returns the ids of the replies whose view depends on other entries. */
export function markedReplies(entries: readonly EntryView[]): MarkedReplies {
  const replies = entries.filter((entry) => entry.kind === 'assistant');
  // The line of the steps names no model, so the reply that ends the turn does.
  const known = replies.filter((reply) => reply.model !== null && callsOf(reply).length === 0);
  const changes = known.filter(({ model }, at) => at > 0 && known[at - 1]?.model?.key !== model?.key);
  return {
    newest: replies.at(-1)?.id ?? null,
    newModels: new Set(changes.map(({ id }) => id)),
    noted: notedReplies(entries),
    explained: explainedReply(entries),
  };
}
