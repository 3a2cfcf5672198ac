import type { RequestSize } from '../../engine/record/requestSize.js';
import type { Category, ContextRows, NextRequestRows } from './requestRows.js';
import type { ApiChatSummary, ApiHistoryStatus } from '../api/api.js';
import type { CompactionView, SummaryEntry, SummaryForecast, SummaryPreviewView } from './compaction.js';
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
import type { ContextChip, ContextTotal } from './chips.js';
import type { LeavingOutPrices } from './leavingOut.js';
import type { ForecastBeside, ForecastView } from '../forecast.js';
import type { ItemProofView } from './itemProof.js';
import type { RateLimitView } from './rateLimits.js';
import type { DamageView } from './damage.js';
import type { ServerQuestionView } from '../servers.js';
import type { SpendQuestionView } from '../spend.js';
import type { ManagerView } from './manager.js';
import type { RestoreOfferView, WrittenFileView } from './restorableFile.js';
import type { StepQuestionView, ToolCallView } from './toolCalls.js';
import type { SettingRow } from './settings.js';
import type { ImageView, UserEntry } from './userEntry.js';

/*
 * The state of the chat panel, as plain JSON. The host computes it from the chat's state; the webview renders it. The
 * webview's own state is only what is open, focused or being typed.
 */

/** Most entries whose context is open at a time: more than anyone looks at. */
export const MOST_OPEN = 500;

export interface PanelState {
  /** All chats of the workspace, most recently used first; null while the storage is being read. */
  readonly chats: readonly ChatListItem[] | null;
  /** The chat on show; null before the first one is loaded. */
  readonly chat: ChatView | null;
  readonly entries: readonly EntryView[];
  /** Output tokens of the streaming replies. They are not members of `entries`, so that a delta can append text to those. */
  readonly outputs: readonly OutputSoFar[];
  readonly draft: DraftView;
  /** Chips of the session context: at most `MOST_CHIPS`, some of them for whole folders; or all while the user has them open. */
  readonly context: readonly ContextChip[];
  readonly contextTotal: ContextTotal;
  /** The summary that is being written; null without one. */
  readonly compaction: CompactionView | null;
  /** What of a summary the user looks at before it is used; null when nothing. `compaction` is null meanwhile. */
  readonly summaryPreview: SummaryPreviewView | null;
  /** What tools wrote behind the message that is being edited; null for nothing. */
  readonly restoreOffer: RestoreOfferView | null;
  /** The question whether a run goes on calling tools; null for none. */
  readonly stepQuestion: StepQuestionView | null;
  /** The request that waits until the user has allowed what it may cost; null for none. */
  readonly spendQuestion: SpendQuestionView | null;
  /** The server of the workspace that may not start before the user allows it; null for none. */
  readonly serverQuestion: ServerQuestionView | null;
  /** The names of the servers that a message of the chat waits for. */
  readonly startingServers: readonly string[];
  /** What leaving out would do to the next request, by the ids of entries: a turn by that of its message of the user, the tool calls of a reply by its own. */
  readonly leavingOut: Readonly<Record<string, LeavingOutPrices>>;
  readonly nextRequest: NextRequestView | null;
  /** All blocks of the next request, without framing; null while they are not open or not known. */
  readonly nextRequestRows: NextRequestRows | null;
  /** What the requests of open entries held, by entry id. */
  readonly contextRows: Readonly<Record<string, ContextRows>>;
  /** Null while its pane is closed, or the next request is not known. */
  readonly manager: ManagerView | null;
  /** Of the row of that pane whose proof is open; null for none, and while it is being read. */
  readonly itemProof: ItemProofView | null;
  /** Whether the window has a folder, whose files can be added. */
  readonly hasFolder: boolean;
  /** The size of texts, in pixels; null for that of VS Code. */
  readonly fontSize: number | null;
  /** The file in the active editor; null without one of the workspace. */
  readonly openFile: OpenFile | null;
  /** What is explained to a new user now; null for everyone else. */
  readonly introduction: IntroductionStep | null;
  /** Things the user must know, most urgent first. */
  readonly banners: readonly Banner[];
}

/** What a new user is shown, in this order: a page before the first message, then three hints at the first reply. */
export const INTRODUCTION_STEPS = ['welcome', 'usage', 'contextUsed', 'nextRequest'] as const;
export type IntroductionStep = (typeof INTRODUCTION_STEPS)[number];

export interface OpenFile {
  /** Its path within the workspace. */
  readonly name: string;
  readonly uri: string;
}

/** An unreadable chat is listed without a time, and its preview says why. */
export type ChatListItem = ApiChatSummary;

export interface ChatView {
  readonly id: string;
  readonly title: string;
  readonly running: boolean;
  /** Whether its model is the practice model, which takes commands. */
  readonly isPractice: boolean;
  /** Why the chat cannot be changed; null when it can. */
  readonly readOnly: string | null;
  /** The damage of its log; null without any. */
  readonly damage: DamageView | null;
  /** Number of messages before the first one in `entries`. */
  readonly earlierMessages: number;
  /** Number of messages after the last one in `entries`; 0 while the end of the conversation is on show. */
  readonly laterMessages: number;
  readonly model: ModelView;
  readonly settings: readonly SettingRow[];
  /** What all of its requests used, those that were set aside included; null before the first one has ended. */
  readonly spent: ChatSpending | null;
}

export interface ChatSpending {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a part of these is Loupe's own count, not the provider's. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  /** US dollars; null when no request has a known price, or none was billed. */
  readonly cost: number | null;
  /** Number of requests whose usage or price is unknown: if there are any, the sums are lower bounds. */
  readonly unknownRequests: number;
}

/** The model that replies in the chat. */
export interface ModelView {
  readonly label: string;
  /** One line: its provider, context window, price and the error of its token counts. */
  readonly detail: string;
  /** Whether it is asked with a key that Loupe keeps. */
  readonly hasKey: boolean;
}

/** The host's draft. `revision` grows when the host changes it (sent, edit begun); `edit` echoes the last edit seen of this panel. */
export interface DraftView {
  readonly text: string;
  /** What is sent with the text. */
  readonly images: readonly ImageView[];
  readonly revision: number;
  readonly edit: number;
  /** Id of the user message being edited: sending replaces it and all messages after it. Null for a new message. */
  readonly editing: string | null;
  /** Whether the model has shortened the text, and the original can be taken back. */
  readonly isShortened: boolean;
}

/** A share of a request in tokens. `framing` is what the wire format adds. */
export interface Share {
  readonly category: Category | 'framing';
  readonly tokens: number;
}

/**
 * The source of a request's size: the model's own tokenizer, the provider's count of the request, or an estimate.
 * `atLeast`: the conversation is so long that only its end was counted, and that is already over the budget.
 */
export type SizeBasis = RequestSize['basis'] | 'atLeast';

export interface NextRequestView extends RequestRoom {
  readonly totalTokens: number;
  readonly basis: SizeBasis;
  /** Where the provider can count the request itself; null where it cannot or need not. */
  readonly providerCount: ProviderCount | null;
  /** Typical relative error of an estimate, measured on earlier requests; null when unknown. */
  readonly error: number | null;
  /** What is changed or left out because the model does not take it: a sentence for each kind. */
  readonly adaptations: readonly string[];
  /** What there is no room for, a sentence for each of the first files. */
  readonly warnings: readonly string[];
  /** What new chats begin with, and this one neither has nor had: files that came later. */
  readonly newItems: readonly NewItem[];
  /** What nothing has named for long, and could leave. */
  readonly unused: UnusedItems;
  /** Servers whose tools will be in the request, with unknown size and price. */
  readonly unknownServers: readonly UnknownServer[];
  /** Servers none of whose tools was called for as many replies. */
  readonly unusedServers: readonly UnusedServer[];
  /** Budget in tokens for the whole request: `limit` minus `reservedTokens`, at least 0. */
  readonly budget: number;
  /** The smaller of the model's input limit and the chat's own. */
  readonly limit: number;
  /** Kept free for the reply. */
  readonly reservedTokens: number;
  /** Only shares above 0. */
  readonly shares: readonly Share[];
  /**
   * US dollars for the input if it is sent now, as the cache is expected to serve it; where it is unknown how the provider caches, when
   * no cache serves it. Null without prices.
   */
  readonly inputCost: number | null;
  /** Null when it is unknown how the provider caches. */
  readonly forecast: ForecastView | null;
  /** Whether the cache may serve a part of the input, which then costs less than `inputCost`. */
  readonly mayBeCached: boolean;
  /** What a reply of this chat costs, at the price of its model; null before the first reply or without prices. */
  readonly reply: ReplyPrice | null;
  /** Whether none of it is billed: the prices are what a model with them would cost. So it is in `UsageLine`. */
  readonly isPretended: boolean;
  /** Whether the cache must take what follows the summary anew: no request has sent the summary as it is now. */
  readonly isRewritten: boolean;
  /** Null for a usual price, and where too little is known. */
  readonly unusual: UnusualPrice | null;
  /** Whether the folder is not trusted: then it holds no rules, references, skills or agents of it. */
  readonly isRestricted: boolean;
  readonly history: ApiHistoryStatus;
  readonly summary: SummaryForecast;
  /** What the cache of its model was found to do; null where nothing was observed. */
  readonly observation: ObservationView | null;
}

export interface Banner {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly actions: readonly BannerAction[];
}

/** The actions of banners. */
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
  /** The action's argument, such as a chat id; empty without one. */
  readonly argument: string;
}

/** One block of the conversation; `id` is stable and unique within it. */
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
  /** `ms` is how long it took; null while it arrives, and when that was not recorded. */
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number | null }
  | ToolCallView;

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly isPinned: boolean;
  /** What of it the user has left out of the requests: its turn, all its tool calls, or these; null for nothing. */
  readonly leftOut: 'turn' | 'calls' | { readonly callIds: readonly string[] } | null;
  readonly parts: readonly PartView[];
  /**
   * `cutOff`: the reply reached the output limit; `refused`: the provider ended it because of its content; `endedEarly`:
   * the provider ended it for the reason `finishReason`; `incomplete`: the provider failed; `interrupted`: the extension host ended. All these replies keep their partial text.
   */
  readonly status: 'streaming' | 'done' | 'cutOff' | 'refused' | 'endedEarly' | 'stopped' | 'incomplete' | 'interrupted';
  /** The provider's word for why it ended early or refused; null without one. */
  readonly finishReason: string | null;
  /** The id of another model than was asked, which has answered; null otherwise. */
  readonly answeredBy: string | null;
  /** What its tools wrote. */
  readonly files: readonly WrittenFileView[];
  /** Sources and images that came beside the reply. */
  readonly extras: readonly ExtraView[];
  /** The model that was asked; null for messages without a record of their request. */
  readonly model: ModelName | null;
  /** When it was asked, in epoch milliseconds. */
  readonly at: number;
  /** Null until the attempt has ended. */
  readonly usage: UsageLine | null;
  /** What its provider said is running low. */
  readonly limits: readonly RateLimitView[];
  /** Null for messages without a record of their request. */
  readonly contextUsed: ContextUsed | null;
}

/** An image is kept with the chat, and not shown: `bytes` is its size. */
export type ExtraView =
  | { readonly type: 'source'; readonly url: string; readonly title: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number };

export interface ModelName {
  readonly label: string;
  /** `provider/model`. */
  readonly key: string;
}

/** Output tokens of a streaming reply so far, counted by Loupe. */
export interface OutputSoFar {
  readonly entryId: string;
  readonly tokens: number;
  /** False only when the counter is the model's own. */
  readonly isEstimate: boolean;
}

export interface UsageLine {
  /** Null is unknown, not 0. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly writtenTokens: number | null;
  readonly outputTokens: number | null;
  /** Whether the figures are Loupe's own counts, not the provider's. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  /** Whether the provider has billed more, for example searches. */
  readonly isAtLeast: boolean;
  /** Whether the provider itself reported the cost. */
  readonly isCharged: boolean;
  readonly isPretended: boolean;
  readonly durationMs: number;
  /** What was expected of the cache when it was sent; null when its rules were unknown. */
  readonly forecast: ForecastBeside | null;
  /** Whether another chat, from which this one was forked, made the request and counts it. */
  readonly inherited: boolean;
}

/** The figures of what a request held. */
export interface ContextUsed {
  /** `1 file (manual)`; a sentence when there is nothing. */
  readonly summary: string;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}
