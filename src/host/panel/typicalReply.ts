import { priceOfReply, type Prices } from '../../engine/accounting/price.js';
import { figureValue } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';

/** Replies looked back on: a chat's replies get longer or shorter as it goes on. */
const LATEST = 20;

/**
 * What a reply of this chat costs: the median length of its latest replies, which one long one does not move, at these
 * prices. Null before the first reply and without prices.
 */
export function typicalReplyCost(attempts: ReadonlyMap<string, AttemptState>, prices: Prices | null): number | null {
  const lengths = [...attempts.values()].flatMap(({ purpose, end }) => {
    const length = purpose === 'reply' && end?.outcome === 'complete' ? figureValue(end.usage?.completionTokens ?? null) : null;
    return length === null ? [] : [length];
  });
  const sorted = lengths.slice(-LATEST).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return median === undefined ? null : priceOfReply(median, prices);
}
