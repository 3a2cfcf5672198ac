import type { Prices } from '../../../model/price.js';
import type { CacheRules } from '../../../model/cacheRules.js';

/** What a token of the input costs, in any unit: written to the cache, read from it, and written for as long as the provider offers. */
export interface CachePrices {
  readonly write: number;
  readonly read: number;
  readonly writeLong: number;
}

/** Anthropic's documented prices in relation to that of the input, for models whose own prices do not tell what a cache saves. */
const USUAL: CachePrices = { write: 1.25, read: 0.1, writeLong: 2 };

/** The prices of a model's cache. A cache that works unasked charges nothing for writing; without a cache, all text costs the same. */
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
