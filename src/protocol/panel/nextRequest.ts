/*
 * What the view of the next request says beside its size: who counts it, what could leave or come in, and what a reply to it costs.
 */

/** A provider that can count the next request. */
export interface ProviderCount {
  readonly label: string;
  /** Whether it does: it then gets the draft and the files while the user types. */
  readonly isOn: boolean;
  /** Its id, to turn that on or off; null where it always counts: an extension of VS Code. */
  readonly switchable: string | null;
}

export interface UnusedItems {
  /** The keys of the items. */
  readonly keys: readonly string[];
  /** What they take in each request. */
  readonly tokens: number;
  /** For so many replies nothing has named them. */
  readonly replies: number;
}

/** A server none of whose tools was called for long. */
export interface UnusedServer {
  readonly name: string;
  /** What its tools take in each request. */
  readonly tokens: number;
}

export interface NewItem {
  readonly key: string;
  readonly name: string;
}

/** What the latest replies of a chat would cost now, in US dollars. */
export interface ReplyPrice {
  /** Of few replies all are between these two, of more the middle half. */
  readonly low: number;
  readonly high: number;
  readonly median: number;
  /** Number of replies behind it. */
  readonly replies: number;
}

/** A price far above what the turns of the chat have cost. */
export interface UnusualPrice {
  /** What half of them have cost at most, in US dollars. */
  readonly median: number;
  /** How many times the median the next request costs. */
  readonly times: number;
}

/** A server that has never listed its tools. */
export interface UnknownServer {
  readonly name: string;
  /** Whether it is starting already. */
  readonly isStarting: boolean;
}

/** A model, by its key and by the name that users see. */
export interface NamedModel {
  readonly provider: string;
  readonly model: string;
  readonly label: string;
}

/** Whether a request has room, and what can be done where it has none. */
export interface RequestRoom {
  /** Whether it is too long, and the beginning of the conversation is summarized before it is sent. */
  readonly isShortened: boolean;
  /** Why the request cannot be sent; null when it can. */
  readonly problem: string | null;
  /** Whether the settings of the chat are the cause: the model would take the request, or the reserve for the reply leaves no room. */
  readonly isOwnLimit: boolean;
  /** The model whose context size is unknown, so that `limit` is assumed; null where it is known, or the chat has a limit of its own. */
  readonly assumedLimit: NamedModel | null;
  /** Whether a summary that the user asks for would make it fit. */
  readonly offersSummary: boolean;
  /** The message alone makes it too long, and the model can shorten it, for about so many US dollars (null when unknown); null otherwise. */
  readonly shortening: { readonly cost: number | null } | null;
}
