/** Tokens of a request or of a part of it, by what the provider's cache does with them. */
export interface CacheParts {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
}

/** What the cache is expected to do with the next request. */
export interface ForecastView {
  /** Tokens of the whole request. */
  readonly parts: CacheParts;
  /** US dollars for a token of each of these, so that they add up to `inputCost`; null without prices. */
  readonly rates: CacheParts | null;
  /** When what it reads is gone, in epoch milliseconds; null where it reads nothing. */
  readonly expiresAt: number | null;
  /** US dollars for the input after that; null without prices. */
  readonly costAfter: number | null;
  /** Between what the whole turn costs in 8 of 10 cases, in US dollars; null without tools, and where too few turns are known. */
  readonly turn: TurnBandView | null;
}

export interface TurnBandView {
  readonly low: number;
  readonly high: number;
}
