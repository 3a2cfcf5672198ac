import { priceOfUse, type Prices } from '../model/price.js';
import type { ExpectedCache, ExpectedUse } from './expectedCache.js';
import { partsOf, type CacheParts } from '../model/inputParts.js';
import type { CachePart, CacheUse } from '../model/providerCache.js';

/** What the cache is expected to do with the next request, and what its input costs. */
export interface Forecast {
  /** Tokens of the whole request. */
  readonly parts: CacheParts;
  /** The same of each block. */
  readonly blocks: readonly CacheParts[];
  /** What the input costs if it is sent now, in US dollars; null without prices. */
  readonly costNow: number | null;
  /** How much less `costNow` would be if what is written for an hour were written for five minutes, in US dollars; null without prices. */
  readonly longWriteCost: number | null;
  /** When what it reads is gone, in epoch milliseconds; null where it reads nothing. */
  readonly expiresAt: number | null;
  /** What the input costs after that; as now where it reads nothing. */
  readonly costAfter: number | null;
}

/** A forecast as the log keeps it: it cannot be derived later, because it follows from all that the window had read and learned by then. */
export interface RecordedForecast extends CacheParts {
  /** What the input was to cost, in US dollars; null without prices. */
  readonly cost: number | null;
}

export function recordedForecast({ parts, costNow }: Forecast): RecordedForecast {
  return { ...parts, cost: costNow };
}

/** `parts` are the blocks of the request, in the tokens that it is measured in. */
export function forecast(cache: ExpectedCache, parts: readonly CachePart[], now: number, prices: Prices | null): Forecast {
  const use = cache.use(parts, now);
  const { readUntil } = use;
  const after = readUntil === null ? use : cache.use(parts, readUntil + 1);
  const whole = inPartsOf(use);
  return {
    parts: whole,
    blocks: partsOf(
      parts.map(({ tokens }) => tokens),
      whole,
    ),
    costNow: costOf(use, prices),
    longWriteCost: prices === null ? null : priceOfUse(use, prices) - priceOfUse(use, { ...prices, cacheWrite1h: prices.cacheWrite5m }),
    expiresAt: readUntil,
    costAfter: costOf(after, prices),
  };
}

function inPartsOf({ read, written5m, written1h, fresh }: CacheUse): CacheParts {
  return { read, written: written5m + written1h, fresh };
}

function costOf(use: ExpectedUse, prices: Prices | null): number | null {
  return prices === null ? null : priceOfUse(use, prices);
}
