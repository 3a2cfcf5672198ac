import { PER_MILLION, ratesOf } from '../../engine/model/price.js';
import type { Model } from '../../engine/model/model.js';
import { counted, markedPrice, price } from '../../protocol/numbers.js';

/** The forecast of a chat's next request with its current model. */
export interface StayingForecast {
  readonly tokens: number;
  readonly read: number;
  /** Cost of the input in US dollars. Null without prices. */
  readonly cost: number | null;
}

/**
 * Returns the cost of switching to another model, or null when the current model reads nothing from its cache. Models
 * do not share caches, so the other model reads the whole input uncached. `tokens` were counted for the current model
 * and are an estimate for the other.
 */
export function switchingText(
  { tokens, read, cost }: StayingForecast,
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
