/** What a request cost and why: the first line of the Request Inspector. */
export interface Verdict {
  /** `good`: the cache was read. `miss`: cached tokens were not read. `expired`: it had expired. `plain`: all else. */
  readonly tone: 'good' | 'miss' | 'expired' | 'plain';
  /** The cost in words: `Cost $0.0649`, `Cost unknown`, `Will cost $0.0292`. */
  readonly cost: string;
  /** The reason for the cost, shown after a colon, with its full stop. */
  readonly reason: string;
  /** The provider's sentence about differences to the earlier request. Null without one, or if nothing was lost. */
  readonly providerSays: string | null;
  /** A second line with details, or an empty text. */
  readonly details: string;
  /** Index of the first changed block, from 0. Null if no changed content prevented a cache read. */
  readonly brokenAt: number | null;
}
