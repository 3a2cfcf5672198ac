/** What a request cost and why: the first line of the Request Inspector. */
export interface Verdict {
  /** `good`: the cache worked. `miss`: it did not. `expired`: its lifetime was over. `plain`: all other cases. */
  readonly tone: 'good' | 'miss' | 'expired' | 'plain';
  /** `Cost $0.0649`, `Cost unknown`, `Will cost $0.0292`. */
  readonly cost: string;
  /** The text after the colon, with its full stop. */
  readonly reason: string;
  /** The provider's own sentence about what differs from the earlier request. Null without a report or a loss. */
  readonly providerSays: string | null;
  /** The line below. Empty for no line. */
  readonly details: string;
  /** Index of the first changed block, from 0. Null unless changed content caused the miss. */
  readonly brokenAt: number | null;
}
