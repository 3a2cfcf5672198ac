/* Details about the next request: who counts its tokens, new and unused items, and the cost of a reply. */

export interface ProviderCount {
  readonly label: string;
  /** Whether the provider counts tokens. The provider then receives the draft and the files while the user types. */
  readonly isOn: boolean;
  /** Provider id, to turn counting on or off. Null for models of VS Code extensions, which always count. */
  readonly switchable: string | null;
}

export interface UnusedItems {
  readonly keys: readonly string[];
  /** Tokens of the unused items in each request. */
  readonly tokens: number;
  /** Number of latest replies that did not use these items. */
  readonly replies: number;
}

export interface UnusedServer {
  readonly name: string;
  /** Tokens of the server's tools in each request. */
  readonly tokens: number;
}

export interface NewItem {
  readonly key: string;
  readonly name: string;
}

export type { ReplyPrice, UnusualPrice } from '../../engine/accounting/usualCosts.js';

export interface UnknownServer {
  readonly name: string;
  readonly isStarting: boolean;
}

export interface NamedModel {
  readonly provider: string;
  readonly model: string;
  readonly label: string;
}

/** Whether the next request fits into the context window, and what the user can do if it does not. */
export interface RequestRoom {
  /** Whether the request is too long, so that Loupe summarizes the beginning of the conversation before sending. */
  readonly isShortened: boolean;
  /** Why the request cannot be sent. Null if it can be sent. */
  readonly problem: string | null;
  /** Whether the chat's settings cause the problem: the context limit, or the tokens reserved for the reply. */
  readonly isOwnLimit: boolean;
  /** A model whose context size is unknown, so that Loupe assumes `limit`. Null otherwise. */
  readonly assumedLimit: NamedModel | null;
  /** Whether the request would fit after the user starts a summary. */
  readonly offersSummary: boolean;
  /** Set if the new message is too long and the model can shorten it. `cost`: US dollars, null when unknown. */
  readonly shortening: { readonly cost: number | null } | null;
}
