import type { RequestSize } from '../../engine/record/requestSize.js';
import type { Category } from './requestRows.js';
import type { ApiChatSummary, ApiHistoryStatus } from '../api/api.js';
import type { SummaryEntry, SummaryForecast } from './compaction.js';
import type { AccountingEntry, FailedAttemptEntry, ForkEntry, RetryEntry, RunNoteEntry, TitleEntry } from './noteEntries.js';
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

/*
 * The parts of the panel's state as plain JSON.
 */

/** Most entries with expanded context at a time. */
export const MOST_OPEN = 500;

/** Introduction of new users, in this order: a page before the first message, then three hints at the first reply. */
export const INTRODUCTION_STEPS = ['welcome', 'usage', 'contextUsed', 'nextRequest'] as const;
export type IntroductionStep = (typeof INTRODUCTION_STEPS)[number];

export interface OpenFile {
  /** Path relative to the workspace. */
  readonly name: string;
  readonly uri: string;
}

/** An unreadable chat has no time, and its preview says why. */
export type ChatListItem = ApiChatSummary;

export interface ChatView {
  readonly id: string;
  readonly title: string;
  readonly running: boolean;
  /** Whether it uses the practice model, which accepts commands. */
  readonly isPractice: boolean;
  /** Why the chat cannot be changed. Null if it can. */
  readonly readOnly: string | null;
  /** The damage of its log. Null if undamaged. */
  readonly damage: DamageView | null;
  /** Number of messages before the first one in `entries`. */
  readonly earlierMessages: number;
  /** Number of messages after the last one in `entries`. 0 at the end of the conversation. */
  readonly laterMessages: number;
  readonly model: ModelView;
  readonly settings: readonly SettingRow[];
  /** Usage of all its requests, including discarded ones. Null until the first request has ended. */
  readonly spent: ChatUsageView | null;
}

export interface ChatUsageView {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether Loupe counted a part that the provider did not report. */
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
  /** One line: its provider, context window, price and the error of its token counts. */
  readonly detail: string;
  /** Whether it uses an API key that Loupe stores. */
  readonly hasKey: boolean;
}

/** The host's draft. `revision` grows with each change by the host. `edit` is the last edit seen of this panel. */
export interface DraftView {
  readonly text: string;
  readonly images: readonly ImageView[];
  readonly revision: number;
  readonly edit: number;
  /** Id of the user message that is being edited. Sending replaces it and all later ones. Null for a new message. */
  readonly editing: string | null;
  /** Whether the model has shortened the text, and the original can be restored. */
  readonly isShortened: boolean;
}

/** A share of a request in tokens. `framing` is what the wire format adds. */
export interface Share {
  readonly category: Category | 'framing';
  readonly tokens: number;
}

/**
 * The source of a request's size: the model's own tokenizer, the provider's count, or an estimate. `atLeast`: only the
 * end of the conversation was counted, and it is already over the budget.
 */
export type SizeBasis = RequestSize['basis'] | 'atLeast';

export interface NextRequestView extends RequestRoom {
  readonly totalTokens: number;
  readonly basis: SizeBasis;
  /** The provider that can count the request. Null if it cannot, or need not. */
  readonly providerCount: ProviderCount | null;
  /** Typical relative error of an estimate, measured on earlier requests. Null when unknown. */
  readonly error: number | null;
  /** Changes for what the model does not accept: one sentence per kind. */
  readonly adaptations: readonly string[];
  /** Files that do not fit: one sentence for each of the first ones. */
  readonly warnings: readonly string[];
  /** Items of new chats that this chat never had, because their files are newer. */
  readonly newItems: readonly NewItem[];
  /** Items that nothing has mentioned for a long time. */
  readonly unused: UnusedItems;
  /** Servers whose tools will be in the request, with unknown size and price. */
  readonly unknownServers: readonly UnknownServer[];
  /** Servers with tools that were not called for the same number of replies. */
  readonly unusedServers: readonly UnusedServer[];
  /** Token budget of the whole request: `limit` minus `reservedTokens`, at least 0. */
  readonly budget: number;
  /** The lower one of the model's input limit and the chat's own limit. */
  readonly limit: number;
  /** Tokens kept free for the reply. */
  readonly reservedTokens: number;
  readonly shares: readonly Share[];
  /**
   * US dollars for the input if it is sent now, with the expected cache use, or without a cache if its rules are
   * unknown. Null without prices.
   */
  readonly inputCost: number | null;
  /** Null if the provider's cache rules are unknown. */
  readonly forecast: ForecastView | null;
  /** Whether the cache may be used for a part of the input, which would cost less than `inputCost`. */
  readonly mayBeCached: boolean;
  /** The cost of a reply of this chat at its model's price. Null before the first reply or without prices. */
  readonly reply: ReplyPrice | null;
  /** Whether the model is free and the prices are examples. Also in `UsageLine`. */
  readonly isPretended: boolean;
  /** Whether the messages after the summary are written to the cache again, because its current text is new. */
  readonly isRewritten: boolean;
  /** Null for a usual price, or if too little is known. */
  readonly unusual: UnusualPrice | null;
  /** Whether the folder is not trusted. The request then holds no rules, references, skills or agents of it. */
  readonly isRestricted: boolean;
  readonly history: ApiHistoryStatus;
  readonly summary: SummaryForecast;
  /** An observation about the cache of its model. Null without one. */
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
  'dismiss',
] as const;

export interface BannerAction {
  readonly label: string;
  readonly action: (typeof BANNER_ACTIONS)[number];
  /** The action's argument, such as a chat id. Empty without one. */
  readonly argument: string;
}

/** One block of the conversation. `id` is stable and unique within it. */
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
  /** `ms`: how long it took. Null during streaming, and if it was not recorded. */
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number | null }
  | ToolCallView;

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly isPinned: boolean;
  /** What the user excluded of it: its turn, all tool calls, or some of them. Null for nothing. */
  readonly excluded: 'turn' | 'calls' | { readonly callIds: readonly string[] } | null;
  readonly parts: readonly PartView[];
  /**
   * `cutOff`: it reached the output limit. `refused`: the provider ended it because of its content. `endedEarly`: the
   * provider ended it for the reason `finishReason`. `incomplete`: the provider failed. `interrupted`: the extension
   * host ended. All keep their partial text.
   */
  readonly status: 'streaming' | 'done' | 'cutOff' | 'refused' | 'endedEarly' | 'stopped' | 'incomplete' | 'interrupted';
  /** The provider's own word for an early end or a refusal. Null without one. */
  readonly finishReason: string | null;
  /** Id of the model that replied if it is not the requested one. Null otherwise. */
  readonly answeredBy: string | null;
  /** Files that its tools wrote. */
  readonly files: readonly WrittenFileView[];
  /** Sources and images that came with the reply. */
  readonly extras: readonly ExtraView[];
  /** The requested model. Null for messages without a record of their request. */
  readonly model: ModelName | null;
  /** Time of the request in epoch milliseconds. */
  readonly at: number;
  /** Null until the attempt has ended. */
  readonly usage: UsageLine | null;
  /** Rate limits that are running low, according to the provider. */
  readonly limits: readonly RateLimitView[];
  /** Null for messages without a record of their request. */
  readonly contextUsed: ContextUsed | null;
}

/** An image is stored with the chat but not shown. `bytes` is its size. */
export type ExtraView =
  | { readonly type: 'source'; readonly url: string; readonly title: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number };

export interface ModelName {
  readonly label: string;
  /** `provider/model`. */
  readonly key: string;
}

/** Output tokens of a streaming reply so far, counted by Loupe. */
export interface OutputProgress {
  readonly entryId: string;
  readonly tokens: number;
  /** False only if the counter is the model's own. */
  readonly isEstimate: boolean;
}

export interface UsageLine {
  /** Null means unknown, not 0. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly writtenTokens: number | null;
  readonly outputTokens: number | null;
  /** Whether Loupe counted the figures, because the provider did not report them. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  /** Whether the provider billed more, for example searches. */
  readonly isAtLeast: boolean;
  /** Whether the provider itself reported the cost. */
  readonly isCharged: boolean;
  readonly isPretended: boolean;
  readonly durationMs: number;
  /** The forecast when it was sent. Null if the cache rules were unknown. */
  readonly forecast: ForecastWithError | null;
  /** Whether the chat that this one was forked from made the request and counts it. */
  readonly inherited: boolean;
}

/** Figures about the content of a request. */
export interface ContextUsed {
  /** `1 file (manual)`. A sentence if there is nothing. */
  readonly summary: string;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}
