/*
 * Details about the next request: who counts it, which items could leave or enter, and the cost of a reply.
 */

export interface ProviderCount {
  readonly label: string;
  /** Whether it counts. It then receives the draft and the files while the user types. */
  readonly isOn: boolean;
  /** Provider id, to turn counting on or off. Null for extensions of VS Code, which always count. */
  readonly switchable: string | null;
}

export interface UnusedItems {
  readonly keys: readonly string[];
  /** Their tokens in each request. */
  readonly tokens: number;
  /** Replies without a mention of these items. */
  readonly replies: number;
}

/** A server with tools that were not called for a long time. */
export interface UnusedServer {
  readonly name: string;
  /** Tokens of its tools in each request. */
  readonly tokens: number;
}

export interface NewItem {
  readonly key: string;
  readonly name: string;
}

/** What the latest replies of the chat would cost now, in US dollars. */
export interface ReplyPrice {
  /** With few replies the full range, otherwise the middle half. */
  readonly low: number;
  readonly high: number;
  readonly median: number;
  /** Number of replies that this is based on. */
  readonly replies: number;
}

/** A price far above that of the chat's turns. */
export interface UnusualPrice {
  /** Median cost of the turns, in US dollars. */
  readonly median: number;
  /** How many times the median the next request costs. */
  readonly times: number;
}

/** A server that has never listed its tools. */
export interface UnknownServer {
  readonly name: string;
  readonly isStarting: boolean;
}

export interface NamedModel {
  readonly provider: string;
  readonly model: string;
  readonly label: string;
}

/** Whether a request fits, and what can be done otherwise. */
export interface RequestRoom {
  /** Whether the request is too long, so that the beginning of the conversation is summarized before it is sent. */
  readonly isShortened: boolean;
  /** Why the request cannot be sent. Null if it can. */
  readonly problem: string | null;
  /** Whether the chat's settings are the cause: its context limit, or the tokens kept free for the reply. */
  readonly isOwnLimit: boolean;
  /** The model of unknown context size, for which `limit` is assumed. Null if it is known, or the chat sets a limit. */
  readonly assumedLimit: NamedModel | null;
  /** Whether a manual summary would make it fit. */
  readonly offersSummary: boolean;
  /** Set if the message alone is too long and the model can shorten it. `cost` is in US dollars, null when unknown. */
  readonly shortening: { readonly cost: number | null } | null;
}
