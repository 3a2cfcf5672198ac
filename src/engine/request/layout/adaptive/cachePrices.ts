import type { Prices } from '../../../model/price.js';
import type { CacheRules } from '../../../model/cacheRules.js';

/** Prices of an input token in any unit: written to the cache, read from it, and written with the longest lifetime. */
export interface CachePrices {
  readonly write: number;
  readonly read: number;
  readonly writeLong: number;
}

/** Anthropic's documented prices, relative to the input price. For models without prices, or without cheaper reads. */
const USUAL: CachePrices = { write: 1.25, read: 0.1, writeLong: 2 };

/** Returns the prices of a model's cache. Automatic caches charge nothing extra for writing. */
export function cachePrices({ kind }: CacheRules, prices: Prices | null): CachePrices {
  if (kind === 'none') {
    return { write: 1, read: 1, writeLong: 1 };
  }
  const { write, read, writeLong } =
    prices === null || prices.cacheRead >= prices.input
      ? USUAL
      : { write: prices.cacheWrite5m / prices.input, read: prices.cacheRead / prices.input, writeLong: prices.cacheWrite1h / prices.input };
  return kind === 'marks' ? { write, read, writeLong } : { write: 1, read, writeLong: 1 };
}
