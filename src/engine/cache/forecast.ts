import { priceOfUse, type Prices } from '../model/price.js';
import type { ExpectedCache, ExpectedUse } from './expectedCache.js';
import { partsOf, type CacheParts } from '../model/inputParts.js';
import type { CacheUse, PartColumns } from '../model/providerCache.js';

/** The expected cache use and input cost of the next request, if the user sends it now. */
export interface Forecast {
  readonly parts: CacheParts;
  /** The tokens up to the end of each block, as in `parts`. */
  readonly ends: readonly number[];
  /** The input cost if the request is sent now, in US dollars; null without prices. */
  readonly costNow: number | null;
  /** How much cheaper `costNow` would be if 1-hour writes were 5-minute writes, in US dollars; null without prices. */
  readonly longWriteCost: number | null;
  /** When the cache entry that the request would read expires, in epoch milliseconds; null without a cache read. */
  readonly expiresAt: number | null;
  /** How long a use keeps that entry, in ms; null without a cache read. */
  readonly lifetime: number | null;
  /** The input cost if the request is sent after `expiresAt`; equal to `costNow` without a cache read. */
  readonly costAfter: number | null;
  /** Null if nothing has expired. */
  readonly expired: ExpiredPart | null;
}

/** What the request would read if nothing had expired since the last reply of the chat, and does not read now. */
export interface ExpiredPart {
  readonly tokens: number;
  /** When the longest prefix of the request expired in the cache, in epoch milliseconds. */
  readonly at: number;
  /** Milliseconds since a request last used this prefix. */
  readonly unusedMs: number;
}

/** When the request is sent, and when the last request for a reply was sent, in epoch ms. Null before the first. */
export interface ForecastTimes {
  readonly now: number;
  readonly lastReplyAt: number | null;
}

/** A forecast as stored in the log, because it depends on the requests that this VS Code window knew at that time. */
export interface RecordedForecast extends CacheParts {
  /** The expected cost of the input in US dollars; null without prices. */
  readonly cost: number | null;
}

/** `parts` are the blocks of the request with their measured tokens. */
export function forecast(cache: ExpectedCache, parts: PartColumns, { now, lastReplyAt }: ForecastTimes, prices: Prices | null): Forecast {
  const use = cache.use(parts, now);
  const { readUntil } = use;
  const after = readUntil === null ? use : cache.use(parts, readUntil + 1);
  const whole = inPartsOf(use);
  return {
    parts: whole,
    ends: parts.ends,
    costNow: costOf(use, prices),
    longWriteCost: prices === null ? null : priceOfUse(use, prices) - priceOfUse(use, { ...prices, cacheWrite1h: prices.cacheWrite5m }),
    expiresAt: readUntil,
    lifetime: use.lifetime,
    costAfter: costOf(after, prices),
    expired: lastReplyAt === null ? null : expiredPart(cache.use(parts, lastReplyAt), use.read, now),
  };
}

/** `then`: the use of the cache right after the last reply. `read`: the tokens that the request reads now. */
function expiredPart(then: ExpectedUse, read: number, now: number): ExpiredPart | null {
  const { readUntil: at, lifetime } = then;
  return at === null || lifetime === null || then.read <= read ? null : { tokens: then.read - read, at, unusedMs: now - (at - lifetime) };
}

/** Returns the expected cache use of each block. Views that need only sums of blocks use `ends` instead. */
export function blockParts({ ends, parts }: Pick<Forecast, 'ends' | 'parts'>): readonly CacheParts[] {
  return partsOf(
    ends.map((end, at) => end - (ends[at - 1] ?? 0)),
    parts,
  );
}

function inPartsOf({ read, written5m, written1h, fresh }: CacheUse): CacheParts {
  return { read, written: written5m + written1h, fresh };
}

function costOf(use: ExpectedUse, prices: Prices | null): number | null {
  return prices === null ? null : priceOfUse(use, prices);
}
