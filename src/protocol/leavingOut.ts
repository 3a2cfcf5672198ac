/** What it does to leave a turn, or the tool calls of a reply, out of the requests that hold them now. */
export interface LeavingOutPrice {
  /** What each request is shorter by. */
  readonly tokens: number;
  /** What stands behind it in the cache, and is written again once; null where nobody knows what the cache has. */
  readonly writtenAgain: number | null;
  /** What that costs, in US dollars; null without prices, or where `writtenAgain` is. */
  readonly cost: number | null;
  /** What each request after that costs less, in US dollars; null without prices. */
  readonly saving: number | null;
  /** Whether it can wait until the prompt is laid out anew in any case: then it costs nothing. */
  readonly canWait: boolean;
  /** Whether the user has left it out already, and the request holds it still. */
  readonly isLeftOut: boolean;
}

/** A turn that the user has left out. */
export interface LeftOutTurnView {
  /** The id of its message of the user. */
  readonly id: string;
  /** The beginning of that message, in one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether the request holds it still, until it is laid out anew. */
  readonly isHeld: boolean;
}

/** All turns that the user has left out. */
export interface LeftOutTurns {
  readonly total: number;
  /** The newest `MOST_LEFT_OUT` of them, the newest first. */
  readonly first: readonly LeftOutTurnView[];
}
