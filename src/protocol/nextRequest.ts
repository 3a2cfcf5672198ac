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
