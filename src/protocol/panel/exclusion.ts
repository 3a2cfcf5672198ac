/** The effect of excluding or including a turn, the tool calls of a reply, or one of them. */
export interface ExclusionPrice {
  /**
   * `sent`: the request holds it. `leaving`: the user excluded it, but the request still holds it. `out`: the request
   * does not hold it, and all figures are for including it.
   */
  readonly state: 'sent' | 'leaving' | 'out';
  /** Tokens by which each request becomes shorter, or longer. */
  readonly tokens: number;
  /** Cached tokens after it that must be written to the cache again once. Null if the cache content is unknown. */
  readonly writtenAgain: number | null;
  /** US dollars for that, including the returned content. Null without prices, or if `writtenAgain` is null. */
  readonly cost: number | null;
  /** US dollars that each later request costs less, or more. Null without prices. */
  readonly saving: number | null;
  /** Whether the change can wait until the prompt is rebuilt anyway, which makes it free. */
  readonly canWait: boolean;
}

export interface ExclusionPrices extends ExclusionPrice {
  /** The same for each single call, by its id. Missing for a turn, and for a reply with one call. */
  readonly calls?: Readonly<Record<string, ExclusionPrice>>;
}

/** A turn that the user excluded. */
export interface ExcludedTurnView {
  /** The id of its user message. */
  readonly id: string;
  /** The beginning of that message, on one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether requests still hold it until the prompt is rebuilt. */
  readonly isHeld: boolean;
}

export interface ExcludedTurns {
  readonly total: number;
  /** The `MOST_LEFT_OUT` newest turns, newest first. */
  readonly first: readonly ExcludedTurnView[];
}
