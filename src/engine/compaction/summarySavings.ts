import type { AttemptState } from '../chat/slices/attempts.js';
import type { KnownCompaction } from '../chat/slices/compaction.js';
import type { ChatState } from '../chat/state.js';
import { givesCost, type Prices } from '../model/price.js';
import { SUMMARY_KEY } from '../request/gather.js';
import { readTokens, sizeOfInput } from '../request/pastRequest.js';
import type { ManifestContent } from '../record/manifest.js';
import { savingPerRequest } from './summaryPrice.js';

/** Returns how many tokens shorter a summary makes a request, by compaction id, with the summaries that it includes. */
export function removedTokens({
  compactions,
  timeline,
  rewinds,
}: Pick<ChatState, 'compactions' | 'timeline' | 'rewinds'>): ReadonlyMap<string, number> {
  const times = new Map(
    [...rewinds.values(), timeline].flatMap((branch) =>
      branch.flatMap((item) => (item.kind === 'message' ? [[item.message.id, item.at] as const] : [])),
    ),
  );
  const removed = new Map<string, number>();
  const earlier: KnownCompaction[] = [];
  for (const compaction of compactions.values()) {
    const { id, from, tokens } = compaction;
    // A summary includes the summary before if it replaces only messages after it.
    const before = earlier.findLast(({ to }) => (times.get(to) ?? Infinity) < (times.get(from) ?? -Infinity));
    removed.set(id, tokens.before - tokens.after + (before === undefined ? 0 : (removed.get(before.id) ?? 0)));
    earlier.push(compaction);
  }
  return removed;
}

/** Returns the id of the compaction whose summary a request contains, or null. */
export function compactionIn({ blocks }: Pick<ManifestContent, 'blocks'>): string | null {
  const key = blocks.find((block) => block.key.startsWith(SUMMARY_KEY))?.key;
  return key === undefined ? null : key.slice(SUMMARY_KEY.length);
}

/**
 * Returns how much more a request had cost with `removed` more tokens, in US dollars. If the request read from the
 * cache, it would have read these tokens, too. Otherwise it would have sent them uncached. Null when the cost is
 * unknown, or not the cost by these prices.
 */
export function savedBySummary(attempt: AttemptState, removed: number, prices: Prices | null): number | null {
  const { usage, cost } = attempt.end ?? { usage: null, cost: null };
  const read = readTokens(attempt);
  if (usage === null || cost === null || read === null || !givesCost(prices, usage, cost.usd)) {
    return null;
  }
  const after = sizeOfInput(attempt);
  return savingPerRequest({ before: after + removed, after, isCached: read > 0 }, prices);
}
