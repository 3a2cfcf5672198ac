import type { ReplyExtra } from '../../engine/model/model.js';
import type { ReplyStatus } from '../../engine/chat/replyStatus.js';
import type { RequestSize } from '../../engine/record/requestSize.js';
import type { Category } from './requestRows.js';
import type { ApiChatSummary, ApiHistoryStatus } from '../api/api.js';
import type { SummaryEntry, SummaryForecast } from './compaction.js';
import type {
  AccountingEntry,
  FailedAttemptEntry,
  ForkEntry,
  RequestFigures,
  RetryEntry,
  RunNoteEntry,
  TitleEntry,
} from './noteEntries.js';
import type {
  NewItem,
  ProviderCount,
  ReplyPrice,
  RequestRoom,
  UnknownServer,
  UnusedItems,
  UnusedServer,
  UnusualPrice,
} from './nextRequest.js';
import type { ObservationView } from '../observation.js';
import type { ForecastWithError, ForecastView } from '../forecast.js';
import type { RateLimitView } from './rateLimits.js';
import type { DamageView } from './damage.js';
import type { WrittenFileView } from './restorableFile.js';
import type { ToolCallView } from './toolCalls.js';
import type { SettingRow } from './settings.js';
import type { ImageView, UserEntry } from './userEntry.js';

export type { ReplyExtra };

/*
 * Types of the members of the panel's state, as plain JSON.
 */

/** Maximum number of entries whose context is expanded at the same time. */
export const MOST_OPEN = 500;

/** Steps of the introduction for new users: a page before the first message, then three hints at the first reply. */
export const INTRODUCTION_STEPS = ['welcome', 'usage', 'contextUsed', 'nextRequest'] as const;
export type IntroductionStep = (typeof INTRODUCTION_STEPS)[number];

export interface OpenFile {
  /** The file's path relative to the workspace. */
  readonly name: string;
  readonly uri: string;
}

/** A chat in the list. If the chat cannot be read, it has no time, and `preview` says why. */
export type ChatListItem = ApiChatSummary;

export interface ChatView {
  readonly id: string;
  readonly title: string;
  readonly running: boolean;
  /** Whether the chat uses the practice model, which accepts commands in messages. */
  readonly isPractice: boolean;
  /** Why the user cannot change the chat. Null if the chat can be changed. */
  readonly readOnly: string | null;
  /** The damage of the chat's log. Null if the log is not damaged. */
  readonly damage: DamageView | null;
  /** Number of messages before `entries`, or of notes if only notes come before. */
  readonly earlierMessages: number;
  /** Number of messages after `entries`, or of notes if only notes follow. 0 at the end of the conversation. */
  readonly laterMessages: number;
  readonly model: ModelView;
  readonly settings: readonly SettingRow[];
  /** Usage of all requests of the chat, including discarded ones. Null without known tokens. */
  readonly spent: ChatUsageView | null;
}

export interface ChatUsageView {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether Loupe counted a part of the tokens, because the provider did not report it. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  /** US dollars. Null if no request was billed at a known price. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. If it is not 0, the sums are lower bounds. */
  readonly unknownRequests: number;
}

/** The model that replies in the chat. */
export interface ModelView {
  readonly label: string;
  /** One line about the model: provider, context window, price and the error of its token counts. */
  readonly detail: string;
  /** Whether Loupe can store an API key for the model's provider. */
  readonly hasKey: boolean;
}

/** The draft in the host. `revision` grows with each change by the host. `edit`: last edit received from this panel. */
export interface DraftView {
  readonly text: string;
  readonly revision: number;
  readonly edit: number;
  /** Id of the user message that is being edited. Sending replaces this and all later messages. Null otherwise. */
  readonly editing: string | null;
  /** Whether the model has shortened the text, so that the user can restore the original. */
  readonly isShortened: boolean;
}

/** The tokens of a request by category. `framing`: tokens that the wire format adds. */
export interface Share {
  readonly category: Category | 'framing';
  readonly tokens: number;
}

/**
 * How the size of a request was measured: by the tokenizer of the model, by the provider, or as an estimate. `atLeast`:
 * Loupe counted only the end of the conversation, and this end is already over the budget.
 */
export type SizeBasis = RequestSize['basis'] | 'atLeast';

export interface NextRequestView extends RequestRoom {
  readonly totalTokens: number;
  readonly basis: SizeBasis;
  /** The provider that can count the request's tokens. Null if no provider can or needs to count. */
  readonly providerCount: ProviderCount | null;
  /** Typical relative error of an estimate, measured on earlier requests. Null when unknown. */
  readonly error: number | null;
  /** How Loupe changes content that the model does not accept: one sentence per kind of change. */
  readonly adaptations: readonly string[];
  /** Sentences about problems, such as files that do not fit, changed tools, failed servers, a price above a limit. */
  readonly warnings: readonly string[];
  /** Items that Loupe adds to new chats, but not to this chat, because their files are newer than the chat. */
  readonly newItems: readonly NewItem[];
  /** Items of the chat that no message used for a long time. */
  readonly unused: UnusedItems;
  /** MCP servers whose tools will be in the request, but whose tools and price are not known yet. */
  readonly unknownServers: readonly UnknownServer[];
  /** MCP servers whose tools were not called during the same number of replies as in `unused`. */
  readonly unusedServers: readonly UnusedServer[];
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
  /** Without a forecast: whether the cache may contain a part of the input, which then costs less than `inputCost`. */
  readonly mayBeCached: boolean;
  /** What a reply in this chat costs at the model's price. Null before the first reply, or without prices. */
  readonly reply: ReplyPrice | null;
  /** Whether the model is free, so that the prices are only examples. Also in `UsageLine`. */
  readonly isPretended: boolean;
  /** Whether the provider must write the messages after the summary to its cache again, because the summary is new. */
  readonly isRewritten: boolean;
  /** Set if the price is far higher than usual. Null otherwise, and if too little is known. */
  readonly unusual: UnusualPrice | null;
  /** Whether the user does not trust the folder. Requests then omit its rules, references, skills and agents. */
  readonly isRestricted: boolean;
  readonly history: ApiHistoryStatus;
  readonly summary: SummaryForecast;
  /** What Loupe observed about the cache of the request's model. Null without an observation. */
  readonly observation: ObservationView | null;
}

export interface Banner {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly actions: readonly BannerAction[];
}

export const BANNER_ACTIONS = [
  'undoDelete',
  'undoRemove',
  'importChats',
  'showLog',
  'openSettings',
  'openSpendSettings',
  'selectModel',
  'retryStorage',
  'exportChat',
  'copyChat',
  'stopReading',
  'cancelPage',
  'retryPage',
  'dismiss',
] as const;

export interface BannerAction {
  readonly label: string;
  readonly action: (typeof BANNER_ACTIONS)[number];
  /** The action's argument, such as a chat id. Empty for an action without an argument. */
  readonly argument: string;
}

/** One block of the conversation. `id` never changes and is unique in the conversation. */
export type EntryView =
  | UserEntry
  | AssistantEntry
  | SummaryEntry
  | AccountingEntry
  | ForkEntry
  | FailedAttemptEntry
  | RetryEntry
  | RunNoteEntry
  | TitleEntry;

export type PartView =
  | { readonly type: 'text'; readonly text: string }
  | ImageView
  /** `ms`: duration of the reasoning. Null during streaming, and if the time was not recorded. */
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number | null }
  | ToolCallView;

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly isPinned: boolean;
  /** What the user excluded: the reply's turn, all its tool calls, or some calls. Null if nothing is excluded. */
  readonly excluded: 'turn' | 'calls' | { readonly callIds: readonly string[] } | null;
  readonly parts: readonly PartView[];
  readonly status: ReplyStatus;
  /** The provider's word for an early end or a refusal. Null when the provider sent no such word. */
  readonly finishReason: string | null;
  /** Id of the model that replied, if it differs from the requested model. Null otherwise. */
  readonly answeredBy: string | null;
  /** Files that the reply's tools wrote. */
  readonly files: readonly WrittenFileView[];
  /** Sources that the reply names, and images that version 0.1.0 could not store. */
  readonly extras: readonly ReplyExtra[];
  /** The requested model. Null if the log has no record of the request. */
  readonly model: ModelName | null;
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  /** Usage of the reply. Null until the attempt has ended, or when unknown. */
  readonly usage: UsageLine | null;
  /** Rate limits that are nearly reached, by the provider's report. */
  readonly limits: readonly RateLimitView[];
  /** Figures about the request. Null until the attempt has ended, or if the log has no record of the request. */
  readonly contextUsed: ContextUsed | null;
}

export interface ModelName {
  readonly label: string;
  /** The model in the form `provider/model`. */
  readonly key: string;
}

/** Output tokens of a streaming reply so far, counted by Loupe. */
export interface OutputProgress {
  readonly entryId: string;
  readonly tokens: number;
  /** Whether Loupe estimated the tokens. False only if Loupe has the tokenizer of the model. */
  readonly isEstimate: boolean;
}

export interface UsageLine extends RequestFigures {
  readonly cachedTokens: number | null;
  readonly writtenTokens: number | null;
  /** Whether Loupe counted these tokens, because the provider did not report them. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  /** Whether the provider itself reported the cost. */
  readonly isCharged: boolean;
  readonly durationMs: number;
  /** The forecast that was made before sending. Null if the cache rules were unknown. */
  readonly forecast: ForecastWithError | null;
  /** Whether a fork copied the request from its original chat. The usage then belongs to that chat. */
  readonly inherited: boolean;
}

/** Figures about the content of a request. */
export interface ContextUsed {
  /** The items in words, such as `1 rule (always), 2 files (manual), 1 cut to fit`. `No files` without items. */
  readonly summary: string;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}
