import type { RateFigures } from '../engine/model/price.js';

/** Rates of which some are unknown. */
type KnownRates = { readonly [K in keyof RateFigures]?: number | null | undefined };

/**
 * Completes known rates; null without those of input and output. A provider without prices for cached tokens bills
 * them like other input, so cache reads and writes default to the input price. The price of a one-hour write defaults
 * to that of a five-minute write, because a provider that names one price has only one.
 */
export function fullRates(known: KnownRates): RateFigures | null {
  const { input, output } = known;
  if (typeof input !== 'number' || typeof output !== 'number') {
    return null;
  }
  const cacheWrite5m = known.cacheWrite5m ?? input;
  return { input, output, cacheRead: known.cacheRead ?? input, cacheWrite5m, cacheWrite1h: known.cacheWrite1h ?? cacheWrite5m };
}
