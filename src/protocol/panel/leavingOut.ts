/** What it does to leave a turn, or the tool calls of a reply, or one of them, out of the requests, or to bring them back. */
export interface LeavingOutPrice {
  /**
   * `sent`: the request holds it. `leaving`: it does so still, and the user has left it out already. `out`: it does not, and all figures are of
   * bringing it back.
   */
  readonly state: 'sent' | 'leaving' | 'out';
  /** What each request is shorter by, or longer. */
  readonly tokens: number;
  /** The cached tokens after it, which are written again once; null when the content of the cache is unknown. */
  readonly writtenAgain: number | null;
  /** What that costs, in US dollars, with what is brought back itself; null without prices, or where `writtenAgain` is. */
  readonly cost: number | null;
  /** What each request after that costs less, or more, in US dollars; null without prices. */
  readonly saving: number | null;
  /** Whether it can wait until the prompt is laid out anew in any case: then it costs nothing. */
  readonly canWait: boolean;
}

/** What it does to leave out a turn, or the tool calls of a reply. */
export interface LeavingOutPrices extends LeavingOutPrice {
  /** The same for each of these calls by itself, by its id; missing for a turn, and for a reply with one call. */
  readonly calls?: Readonly<Record<string, LeavingOutPrice>>;
}

/** A turn that the user has left out. */
export interface LeftOutTurnView {
  /** The id of its message of the user. */
  readonly id: string;
  /** The beginning of that message, in one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether the request still holds it. It leaves with a new layout. */
  readonly isHeld: boolean;
}

/** All turns that the user has left out. */
export interface LeftOutTurns {
  readonly total: number;
  /** The newest `MOST_LEFT_OUT` of them, the newest first. */
  readonly first: readonly LeftOutTurnView[];
}
