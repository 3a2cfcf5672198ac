import type { ReplyPrice } from '../../engine/accounting/usualCosts.js';
import type { SummaryRewrite } from '../../engine/compaction/summaryPrice.js';
import type { Category } from './requestRows.js';
import type { ApiHistoryStatus } from '../api/api.js';
import type { SummaryForecast } from './compaction.js';
import type { SizeBasis } from './entries.js';
import type { ObservationView, ForecastView } from '../forecast.js';
import type { UncachedView } from '../uncached.js';

export type { ReplyPrice };

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

/** A rule of the next request that repeats most of another one. */
export interface RepeatedRuleView {
  readonly key: string;
  readonly name: string;
  /** The name and the workspace path of the other rule. */
  readonly of: string;
  readonly source: string;
  /** Tokens of the repeated lines in each request, an estimate. */
  readonly tokens: number;
}

/** What the rules of the next request repeat. */
export interface RepeatedRulesView {
  /** Number of sections that the request has once, with pointers in the other rules. */
  readonly sections: number;
  /** The rules that repeat other rules, most tokens first. */
  readonly rules: readonly RepeatedRuleView[];
  /** The agent of the chat, for which the user can turn off the rules. Null without an agent. */
  readonly agent: string | null;
}

export interface NewItem {
  readonly key: string;
  readonly name: string;
}

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

/** The tokens of a request by category. `framing`: tokens that the wire format adds. */
export interface Share {
  readonly category: Category | 'framing';
  readonly tokens: number;
}

/** An MCP server that the chat uses, and whose tools Loupe does not offer, because the server failed. */
export interface FailedServer {
  readonly name: string;
  /** Why the server failed, in whole sentences. Empty when unknown. */
  readonly problem: string;
  /** Whether the server needs the user's sign-in. */
  readonly wantsSignIn: boolean;
}

export interface NextRequestView extends RequestRoom {
  readonly totalTokens: number;
  readonly basis: SizeBasis;
  /** The provider that can count the request's tokens. Null if no provider can or needs to count. */
  readonly providerCount: ProviderCount | null;
  /** Typical relative error of an estimate, measured on earlier requests. Null when unknown. */
  readonly error: number | null;
  /** How Loupe changes content that the model does not accept: one sentence per kind of change. */
  readonly adaptations: readonly string[];
  /** Sentences about problems, such as files that do not fit, changed tools, a price above a limit. */
  readonly warnings: readonly string[];
  /** Items that Loupe adds to new chats, but not to this chat, because their files are newer than the chat. */
  readonly newItems: readonly NewItem[];
  /** Items of the chat that no message used for a long time. */
  readonly unused: UnusedItems;
  /** MCP servers whose tools will be in the request, but whose tools and price are not known yet. */
  readonly unknownServers: readonly UnknownServer[];
  /** How many US dollars more the request costs because these tools end the cache. Null if they do not, or unknown. */
  readonly newToolsCost: number | null;
  /** MCP servers whose tools were not called during the same number of replies as in `unused`. */
  readonly unusedServers: readonly UnusedServer[];
  readonly repeatedRules: RepeatedRulesView;
  /** Token budget of the whole request: `limit` minus `reservedTokens`, at least 0. */
  readonly budget: number;
  /** The lower of two limits: the model's input limit, and the context limit in the chat's settings. */
  readonly limit: number;
  /** Tokens that Loupe keeps free for the reply. */
  readonly reservedTokens: number;
  readonly shares: readonly Share[];
  /**
   * US dollars for the input if the user sends now, at the expected cache use. If the provider's cache rules are
   * unknown, the price is without a cache. Null without prices, or if `basis` is `atLeast`.
   */
  readonly inputCost: number | null;
  /** The expected cache use. Null if the provider's cache rules are unknown, or if `basis` is `atLeast`. */
  readonly forecast: ForecastView | null;
  /** Why the request reads little from the cache. Null if it reads what it can, or if `basis` is `atLeast`. */
  readonly uncached: UncachedView | null;
  /** Without a forecast: whether the cache may contain a part of the input, which then costs less than `inputCost`. */
  readonly mayBeCached: boolean;
  /** What a reply in this chat costs at the model's price. Null before the first reply, or without prices. */
  readonly reply: ReplyPrice | null;
  /** Whether the model is free, so that the prices are only examples. Also in `UsageLine`. */
  readonly isPretended: boolean;
  /** About how many US dollars the title of the chat will cost after the reply. Null without a title or its price. */
  readonly titleCost: number | null;
  /** What the provider must write to its cache again because of a new summary. Null for nothing. */
  readonly rewritten: SummaryRewrite | null;
  /** Sentences why the price is far above the usual, or above the ask limit. Null for other prices. */
  readonly unusual: string | null;
  /** Whether the user does not trust the folder. Requests then omit its rules, references, skills and agents. */
  readonly isRestricted: boolean;
  readonly history: ApiHistoryStatus;
  readonly summary: SummaryForecast;
  /** What Loupe observed about the cache of the request's model. Null without an observation. */
  readonly observation: ObservationView | null;
}
