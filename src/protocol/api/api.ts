/*
 * The public API: what `activate` returns (`extensions.getExtension('loupe.loupe').exports`). Plain JSON values
 * only. Every function rejects with an `Error` whose message is written for the user.
 */

import type { ApiDiagnosis } from './apiDiagnosis.js';
import type { ApiAttemptUsage, ApiContextItem, ApiContextNames, ApiMessage, ApiNotSelected, ApiSessionItem } from './apiMessage.js';
import type { ServerQuestionView } from '../servers.js';
import type { SpendQuestionView } from '../spend.js';

export interface LoupeApi {
  readonly version: string;
  /** Creates a chat with the default settings; resolves to its id. */
  newChat(): Promise<string>;
  /** Chats of this workspace, most recently used first. */
  listChats(options: { readonly limit: number }): Promise<readonly ApiChatSummary[]>;
  getChat(chatId: string): Promise<ApiChat>;
  /** The messages of a chat; empty for a chat that this workspace does not have, where `getChat` rejects. */
  getSession(chatId: string): Promise<readonly ApiMessage[]>;
  /**
   * Sends a message to a chat, by default the chat on show: now, or after the reply that is being written. Resolves
   * when its run has ended in any way.
   */
  sendMessage(text: string, options?: { readonly chatId?: string }): Promise<void>;
  /**
   * Finds the messages and titles in the chats of this workspace that contain `query` in any case, newest first; none
   * for an empty query. It also finds messages that an edit or a retry discarded, and unfinished replies. It ignores
   * deleted chats, tool calls and reasoning. Of tool texts over 16 KB it searches only the first ~1,000 characters.
   */
  searchHistory(query: string, options?: ApiSearchOptions): Promise<readonly ApiSearchResult[]>;
  /** Every request of a chat to a model, oldest first: for replies, titles, summaries and topics, failed and discarded ones too. */
  listAttempts(chatId: string): Promise<readonly ApiAttempt[]>;
  /** A request, rebuilt from the log, by the id of its attempt or of its assistant message. */
  getRequest(chatId: string, id: string): Promise<ApiRequest>;
  /** What a request cost and why, by the id of its attempt or of its assistant message. */
  diagnose(chatId: string, id: string): Promise<ApiDiagnosis>;
  /** The request that would be sent now, with `text` as its message; without it, with the panel's draft. */
  previewNextRequest(chatId: string, options?: { readonly text?: string }): Promise<ApiPreview>;
  getHistoryStatus(chatId: string): Promise<ApiHistoryStatus>;
  /** Usage of one chat, or of all chats of this workspace, with deleted ones. */
  getUsage(chatId?: string): Promise<ApiUsage>;
  /**
   * Answers a question of `getChat`: whether the request may be sent, the call of a tool run once, or the run go on calling tools. Rejects
   * when the question is no longer open.
   */
  respond(chatId: string, questionId: string, answer: 'allow' | 'refuse'): Promise<void>;
  /** Sets a fragment of the chat's system prompt for this activation, or removes it when `text` is missing. */
  setFragment(chatId: string, id: string, text?: string): Promise<void>;
  /**
   * Replaces the conversation, or its part up to message `upTo`, by a summary that the chat's model writes. Resolves when
   * the summary is in place, or was cancelled.
   */
  summarize(chatId: string, options?: { readonly upTo?: string }): Promise<void>;
  /** Sends again what the latest summary replaced. */
  undoCompaction(chatId: string): Promise<void>;
  /** Keeps a message as it is in every request, whatever is summarized. */
  pin(chatId: string, messageId: string): Promise<void>;
  unpin(chatId: string, messageId: string): Promise<void>;
  /**
   * Leaves something out of the requests to come: the turn of a message of the user or of a reply without tool calls, or the tool calls of
   * a reply with their results, or with `callId` one of these. Where the chat keeps its prompt for the cache, it goes when that costs nothing more, or with `now` at once.
   * Rejects for a message that is not sent, or still waits for its answer.
   */
  exclude(chatId: string, messageId: string, options?: { readonly now?: boolean; readonly callId?: string }): Promise<void>;
  /** Sends again what `exclude` left out by this message, or one tool call of it. */
  include(chatId: string, messageId: string, options?: { readonly callId?: string }): Promise<void>;
}

export interface ApiChatSummary {
  readonly id: string;
  readonly title: string;
  /** First ~100 characters of the first message; empty for a chat without one. */
  readonly preview: string;
  /** Its role: `user`, unless that message was on a damaged line; null for a chat without messages. */
  readonly firstRole: 'user' | 'assistant' | 'tool-results' | 'summary' | null;
  readonly messageCount: number;
  /** Epoch milliseconds of the last event, without embeddings and token counts. */
  readonly updatedAt: number;
  readonly running: boolean;
  /** Whether a request of it waits, in this window, until the user allows what it may cost. */
  readonly waiting: boolean;
  /** Whether something of it is in memory only, because this window could not write it. */
  readonly unsaved: boolean;
  /** Null when nothing of its log is damaged; `lines` is 0 when a whole file cannot be read, or when lines are missing. */
  readonly damage: { readonly lines: number } | null;
  /** US dollars of all its requests; null when none has a known cost that somebody billed. */
  readonly cost: number | null;
  /** Number of requests whose usage or price is unknown: if there are any, `cost` is a lower bound. */
  readonly unknownRequests: number;
}

export interface ApiSearchOptions {
  /** The role to search; all roles by default. */
  readonly role?: ApiSearchRole;
  /** Most results, at least 1; 50 by default. */
  readonly limit?: number;
}

export type ApiSearchRole = 'user' | 'assistant' | 'tool-results' | 'summary' | 'title';

export interface ApiSearchResult {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Null for a title; the attempt's id for an unfinished reply. */
  readonly messageId: string | null;
  readonly role: ApiSearchRole;
  /** About 100 characters around the first match, on one line; `…` marks an end where the text goes on. */
  readonly excerpt: string;
  /** The match in `excerpt`, in UTF-16 units. */
  readonly matchStart: number;
  readonly matchLength: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** `rules`, `references` and `tools` are the names in `context` by type. */
export interface ApiChat extends ApiContextNames {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly running: boolean;
  readonly config: ApiChatConfig;
  /** Files in the session context, by path. */
  readonly files: readonly string[];
  /** The session context: what is in this chat, and how it came in. */
  readonly context: readonly ApiSessionItem[];
  readonly messages: readonly ApiMessage[];
  /** What waits, in this window, for the user: whether a server may start, what a request may cost, whether a tool may run; oldest first of each. `respond` answers them. */
  readonly questions: readonly ApiQuestion[];
}

export type ApiQuestion = ApiServerQuestion | ApiSpendQuestion | ApiToolQuestion | ApiStepQuestion;

/** Whether a server of the workspace may start, for which a message waits. `line` is its command or its address. */
export interface ApiServerQuestion extends ServerQuestionView {
  readonly kind: 'server';
}

export interface ApiSpendQuestion extends SpendQuestionView {
  readonly kind: 'spend';
}

/** Whether a call of a tool may run. `arguments` are the model's own text. */
export interface ApiToolQuestion {
  readonly kind: 'tool';
  readonly id: string;
  readonly serverName: string;
  readonly name: string;
  readonly arguments: string;
}

/** Whether a run goes on calling tools after so many rounds. */
export interface ApiStepQuestion {
  readonly kind: 'steps';
  readonly id: string;
  readonly steps: number;
}

/** The chat's settings by their names in `loupe.defaults`. A model is `provider/model`. */
export type ApiChatConfig = Readonly<Record<string, string | number | null>>;

export interface ApiAttempt {
  readonly id: string;
  /** Embeddings and counts of tokens are summed: `requests` says how many there were, and `getRequest` does not know them. */
  readonly purpose: 'reply' | 'title' | 'summary' | 'topic' | 'embedding' | 'count';
  readonly requests: number;
  /** The reply that it brought; null without one, and for one that was discarded. */
  readonly messageId: string | null;
  /** `provider/model`. */
  readonly model: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Null when unknown: for token counts, and for embeddings that were sent and not answered. */
  readonly outcome: 'running' | 'complete' | 'stopped' | 'failed' | 'interrupted' | null;
  /** Null when it is unknown, or while the request runs. */
  readonly usage: ApiAttemptUsage | null;
  /** US dollars; null when it is unknown or was not billed. */
  readonly cost: number | null;
  /** Whether the real cost may be higher than `cost`: searches are billed as well, or a price is unknown. */
  readonly costAtLeast: boolean;
  /** Whether its conversation was set aside by an edit, a retry or a rewind. */
  readonly discarded: boolean;
  /** Whether a fork took it over: it counts in the chat that made it. */
  readonly inherited: boolean;
}

export interface ApiRequest {
  /** The HTTP body; if `exact`, byte for byte as it was sent. */
  readonly body: string;
  /** Whether the rebuilt body has the hash of the sent body. */
  readonly exact: boolean;
  /** Why the body is not exact; null when it is. */
  readonly note: string | null;
  readonly totalTokens: number;
  readonly blocks: readonly ApiBlock[];
}

export interface ApiBlock {
  readonly key: string;
  readonly role: 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';
  readonly hash: string;
  readonly tokens: number;
  readonly breakpoint: '5m' | '30m' | '1h' | null;
}

export interface ApiPreview {
  readonly body: string;
  readonly totalTokens: number;
  readonly budget: number;
  /**
   * The source of `totalTokens`: the model's own tokenizer, the provider's count of this request, or an estimate.
   * `atLeast`: the conversation is far over the budget, and `body` and `blocks` hold only its end.
   */
  readonly basis: 'exact' | 'providerCount' | 'estimate' | 'atLeast';
  /** Typical relative error of an estimate, measured on earlier requests; null when unknown. */
  readonly error: number | null;
  /** What is changed or left out because the model does not take it: a sentence for each kind. */
  readonly adaptations: readonly string[];
  /** What there is no room for, a sentence for each of the first files. */
  readonly warnings: readonly string[];
  readonly problem: string | null;
  readonly blocks: readonly ApiBlock[];
  /** The request context: what the request would hold. */
  readonly items: readonly ApiContextItem[];
  readonly notSelected: readonly ApiNotSelected[];
  /** The tool calls that it leaves out with their results, oldest first. */
  readonly forgotten: readonly ApiForgottenCalls[];
  /** What the cache is expected to do with it; null when it is unknown how the provider caches, and when `basis` is `atLeast`. */
  readonly forecast: ApiForecast | null;
}

export interface ApiForecast {
  /** Tokens that the cache serves, that it takes, and the rest. Their sum may differ a little from `totalTokens`: what was sent before is as reported. */
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  /** What the input costs in US dollars, now and after the cache is gone; null without prices. */
  readonly costNow: number | null;
  readonly costAfterExpiry: number | null;
  /** When what is read is gone, in epoch milliseconds; null where nothing is read. */
  readonly expiresAt: number | null;
  /** Between what the whole turn costs in 8 of 10 cases, in US dollars; null without tools, and for fewer than five known turns. */
  readonly turn: { readonly low: number; readonly high: number } | null;
}

/** Tool calls of a reply that a request leaves out, because the chat remembers them for no more than `after` turns; null where the user left them out. */
export interface ApiForgottenCalls {
  readonly messageId: string;
  /** The names of the tools, each once. */
  readonly tools: readonly string[];
  readonly calls: number;
  readonly tokens: number;
  readonly after: number | null;
}

export interface ApiHistoryStatus {
  readonly historyTokens: number;
  /** The model's input limit / 16, as the reference reports it; null when that is unknown. */
  readonly maxHistoryTokens: number | null;
  /** The model's input limit; null when unknown. */
  readonly maxInputTokens: number | null;
  readonly remaining: number;
  /** Whether the chat will be summarized after the next reply. */
  readonly needsSummary: boolean;
  /**
   * `trigger`: tokens of the messages at which a summary is written by itself, 0 for never, and where that goes by the number of
   * messages; `percent`: how much of the way there is done.
   */
  readonly compaction: { readonly enabled: boolean; readonly trigger: number; readonly percent: number };
}

export interface ApiUsage {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /** Number of attempts whose usage or price is unknown: if there are any, the sums are lower bounds. */
  readonly unknownAttempts: number;
  /** Null when no attempt has a known cost that somebody billed. */
  readonly cost: number | null;
  /**
   * Tokens in the context window after the chat's latest reply; after a summary those of the summary, and of the messages that are
   * sent beside it. Null when unknown, or for all chats.
   */
  readonly contextWindow: number | null;
}
