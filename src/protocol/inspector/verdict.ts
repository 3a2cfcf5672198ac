/** What a request cost and why, as the Request Inspector says it first. */
export interface Verdict {
  /** `good`: the cache held. `miss`: it broke. `expired`: it had ended. `plain`: all else. */
  readonly tone: 'good' | 'miss' | 'expired' | 'plain';
  /** `Cost $0.0649`, `Cost unknown`, `Will cost $0.0292`. */
  readonly cost: string;
  /** What follows the colon, with its full stop. */
  readonly reason: string;
  /** What the provider itself says differs from the request before, as a sentence; null where nothing was lost, or it said nothing. */
  readonly providerSays: string | null;
  /** The line below; empty for none. */
  readonly details: string;
  /** The place of the first block that differs from the request before, from 0; null where the cache did not break. */
  readonly brokenAt: number | null;
}
