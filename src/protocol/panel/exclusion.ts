/** What changes if the user excludes or includes a turn, all tool calls of a reply, or one call. */
export interface ExclusionPrice {
  /**
   * `sent`: the next request contains the part. `leaving`: the user excluded the part, but the next request still
   * contains it. `out`: the next request does not contain the part, and all figures are about including it.
   */
  readonly state: 'sent' | 'leaving' | 'out';
  /** Tokens that each later request saves after an exclusion, or needs in addition after an inclusion. */
  readonly tokens: number;
  /** Tokens after the part that must be written to the cache again, once. Null if the cache content is unknown. */
  readonly writtenAgain: number | null;
  /** US dollars for this cache write and for the included part. Null without prices, or if `writtenAgain` is null. */
  readonly cost: number | null;
  /** US dollars that each later request saves, or costs in addition. Null without prices. */
  readonly saving: number | null;
  /** Whether the change costs nothing if it waits until the prompt is rebuilt for another reason. */
  readonly canWait: boolean;
}

export interface ExclusionPrices extends ExclusionPrice {
  /** Effect of excluding or including each single call, by call id. Missing for turns and for a reply with one call. */
  readonly calls?: Readonly<Record<string, ExclusionPrice>>;
}

export interface ExcludedTurnView {
  /** Id of the user message that begins the turn. */
  readonly id: string;
  /** The beginning of the user message, on one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether requests still contain the turn, until the prompt is rebuilt. */
  readonly isHeld: boolean;
}

export interface ExcludedTurns {
  readonly total: number;
  /** The newest turns, newest first, at most `MOST_LISTED_ITEMS`. */
  readonly first: readonly ExcludedTurnView[];
}
