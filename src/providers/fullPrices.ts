import type { Prices, Rates } from '../engine/accounting/price.js';

/**
 * Completes known prices; null without those of input and output. A provider without prices for cached tokens bills
 * them like other input, so cache reads and writes default to the input price. The price of a one-hour write defaults
 * to that of a five-minute write, because a provider that names one price has only one.
 */
export function fullPrices(known: { readonly [K in keyof Rates]?: number | null | undefined }): Prices | null {
  const { input, output } = known;
  if (typeof input !== 'number' || typeof output !== 'number') {
    return null;
  }
  const cacheWrite5m = known.cacheWrite5m ?? input;
  return { input, output, cacheRead: known.cacheRead ?? input, cacheWrite5m, cacheWrite1h: known.cacheWrite1h ?? cacheWrite5m };
}
