import type { Ttl } from '../../../engine/model/cacheRules.js';

/** What requests would have cost with another layout, or another life of the cache; in US dollars for the input. */
export interface ReplayedCache {
  readonly layout: string;
  /** Null where breakpoints are as the layout sets them. */
  readonly lifetime: Ttl | null;
  /** Of the request that was asked about. */
  readonly cost: number;
  /** Of all requests that were replayed, and how many these are. */
  readonly sum: number;
  readonly requests: number;
}

export interface ReplayedCaches {
  /** As it was, replayed in the same way: what `others` are to be compared with. */
  readonly own: ReplayedCache;
  readonly others: readonly ReplayedCache[];
}
