import type { Ttl } from '../../../engine/model/cacheRules.js';

/** The replayed cost of requests with another layout or cache lifetime, in US dollars for the input. */
export interface ReplayedCache {
  readonly layout: string;
  /** Null for the breakpoint lifetimes of the layout. */
  readonly lifetime: Ttl | null;
  /** The cost of the request in question. */
  readonly cost: number;
  /** The cost and the number of all replayed requests. */
  readonly sum: number;
  readonly requests: number;
}

export interface ReplayedCaches {
  /** A replay without changes, as the base for comparing `others`. */
  readonly own: ReplayedCache;
  readonly others: readonly ReplayedCache[];
}
