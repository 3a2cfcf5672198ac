/** A rate limit, as a provider reported it in the headers of a response. */
export interface RateLimit {
  readonly of: 'requests' | 'tokens' | 'input-tokens' | 'output-tokens';
  /** The period of the limit. Missing when the provider does not report it. */
  readonly per?: 'minute' | 'hour' | 'day';
  readonly limit: number;
  readonly remaining: number;
  /** When the whole limit is available again, in epoch milliseconds. Null when unknown. */
  readonly resetsAt: number | null;
}

/** A rate limit at the time of a response. */
export interface LimitReading extends RateLimit {
  /** In epoch milliseconds. */
  readonly at: number;
}
