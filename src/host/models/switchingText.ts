import { PER_MILLION, ratesOf } from '../../engine/model/price.js';
import type { Model } from '../../engine/model/model.js';
import { counted, markedPrice, price } from '../../protocol/numbers.js';

/** The next request of a chat, as it is expected to be served if the chat keeps its model. */
export interface Staying {
  readonly tokens: number;
  /** What of it the cache serves. */
  readonly read: number;
  /** What its input costs, in US dollars; null without prices. */
  readonly cost: number | null;
}

/**
 * What it costs to go on with another model: a cache is each model's own, so all of the next request is sent anew. Its tokens are those of
 * the model in use, and an estimate for the other. Null where the cache of the model in use serves nothing, so that nothing is lost.
 */
export function switchingText(
  { tokens, read, cost }: Staying,
  { prices, capabilities }: Pick<Model, 'prices' | 'capabilities'>,
): string | null {
  if (read === 0) {
    return null;
  }
  const isWritten = capabilities.cache.kind === 'marks';
  const again = `≈ ${counted(tokens, 'token')} are ${isWritten ? 'written again' : 'sent uncached'}`;
  const rates = prices === null ? null : ratesOf(prices, tokens);
  const rate = isWritten ? rates?.cacheWrite5m : rates?.input;
  const now = rate === undefined ? again : `${again}, ${markedPrice('≈', price((tokens * rate) / PER_MILLION))}`;
  return cost === null ? `Switching now: ${now}` : `Switching now: ${now}; staying: ${price(cost)}`;
}
