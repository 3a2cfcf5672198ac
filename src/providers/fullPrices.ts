import type { Prices } from '../engine/accounting/price.js';

/**
 * All prices from those that are known; null without those of input and output. A provider without a price of its own
 * for cached tokens bills them like any other input, so cache reads and writes default to the input price. The price of
 * a write for an hour defaults to that of one for five minutes: whoever names only one has only one.
 */
export function fullPrices(known: { readonly [K in keyof Prices]?: number | null | undefined }): Prices | null {
  const { input, output } = known;
  if (typeof input !== 'number' || typeof output !== 'number') {
    return null;
  }
  const cacheWrite5m = known.cacheWrite5m ?? input;
  return { input, output, cacheRead: known.cacheRead ?? input, cacheWrite5m, cacheWrite1h: known.cacheWrite1h ?? cacheWrite5m };
}
