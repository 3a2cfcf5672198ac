/** What a request cost and why: the first line of the Request Inspector. */
export interface Verdict {
  /** `good`: cache read. `miss`: cached tokens were not read. `expired`: the cache had expired. `plain`: all else. */
  readonly tone: 'good' | 'miss' | 'expired' | 'plain';
  /** The cost in words: `Cost $0.0649`, `Cost unknown`, `Will cost $0.0292`. */
  readonly cost: string;
  /** The reason for the cost, shown after a colon, with its full stop. */
  readonly reason: string;
  /** What the provider reports about the difference. Null without a report, or if no cached tokens were lost. */
  readonly providerSays: string | null;
  /** A second line with details, or an empty text. */
  readonly details: string;
  /** Index of the first changed block, from 0. Null if no changed content prevented a cache read. */
  readonly brokenAt: number | null;
}
