/*
 * The public API: what `activate` returns (`extensions.getExtension('loupe.loupe').exports`). All values are plain
 * JSON. All functions reject with an `Error` whose message is written for the user.
 */

import type { ApiDiagnosis } from './apiDiagnosis.js';
import type { ApiAttemptUsage, ApiContextItem, ApiContextNames, ApiMessage, ApiNotSelectedItem, ApiSessionItem } from './apiMessage.js';
import type { ServerQuestionView } from '../servers.js';
import type { SpendQuestionView } from '../spend.js';

export interface LoupeApi {
  readonly version: string;
  /** Creates a chat with the default settings. Resolves to its id. */
  newChat(): Promise<string>;
  /** Chats of this workspace, most recently used first. */
  listChats(options: { readonly limit: number }): Promise<readonly ApiChatSummary[]>;
  getChat(chatId: string): Promise<ApiChat>;
  /** Returns the messages of a chat. Empty for a chat outside this workspace, where `getChat` rejects. */
  getSession(chatId: string): Promise<readonly ApiMessage[]>;
  /**
   * Sends a message to a chat (by default the visible one): now, or after the running reply. Resolves when its run has
   * ended, also if it failed or was stopped.
   */
  sendMessage(text: string, options?: { readonly chatId?: string }): Promise<void>;
  /**
   * Finds messages and titles in the chats of this workspace that contain `query` in any case, newest first. An empty
   * query has no results. Messages discarded by an edit or retry, and unfinished replies, are included. Deleted chats,
   * tool calls and reasoning are not. Tool texts over 16 KB are searched only in their first ~1,000 characters.
   */
  searchHistory(query: string, options?: ApiSearchOptions): Promise<readonly ApiSearchResult[]>;
  /** Returns all requests for replies, titles, summaries and topics, oldest first, also failed and discarded ones. */
  listAttempts(chatId: string): Promise<readonly ApiAttempt[]>;
  /** Returns a request, rebuilt from the log, by the id of its attempt or of its assistant message. */
  getRequest(chatId: string, id: string): Promise<ApiRequest>;
  /** Explains the cost of a request, by the id of its attempt or of its assistant message. */
  diagnose(chatId: string, id: string): Promise<ApiDiagnosis>;
  /** Returns the request that would be sent now, with `text` as its message. Without `text`, with the panel's draft. */
  previewNextRequest(chatId: string, options?: { readonly text?: string }): Promise<ApiPreview>;
  getHistoryStatus(chatId: string): Promise<ApiHistoryStatus>;
  /** Returns the usage of one chat, or of all chats of this workspace, including deleted ones. */
  getUsage(chatId?: string): Promise<ApiUsage>;
  /**
   * Answers a question of `getChat`: whether to send the request, run the tool call once, or continue calling tools.
   * Rejects if the question is no longer open.
   */
  respond(chatId: string, questionId: string, answer: 'allow' | 'refuse'): Promise<void>;
  /** Sets a fragment of the chat's system prompt until the window closes. Without `text`, removes it. */
  setFragment(chatId: string, id: string, text?: string): Promise<void>;
  /**
   * Replaces the conversation, or its part up to message `upTo`, with a summary written by the chat's model. Resolves
   * when the summary is in place or was cancelled.
   */
  summarize(chatId: string, options?: { readonly upTo?: string }): Promise<void>;
  /** Undoes the latest summary: requests send the replaced messages again. */
  undoCompaction(chatId: string): Promise<void>;
  /** Keeps a message in every request, also when others are summarized. */
  pin(chatId: string, messageId: string): Promise<void>;
  unpin(chatId: string, messageId: string): Promise<void>;
  /**
   * Excludes something from later requests: a turn (by its user message, or by a reply without tool calls), the tool
   * calls of a reply with their results, or only the call `callId`. If the chat keeps its prompt cached, it leaves when
   * the removal costs nothing, or immediately with `now`. Rejects if the message is not sent or has no reply yet.
   */
  exclude(chatId: string, messageId: string, options?: { readonly now?: boolean; readonly callId?: string }): Promise<void>;
  /** Undoes `exclude` for this message, or for one of its tool calls. */
  include(chatId: string, messageId: string, options?: { readonly callId?: string }): Promise<void>;
}

export interface ApiChatSummary {
  readonly id: string;
  readonly title: string;
  /** First ~100 characters of the first message. Empty for a chat without messages. */
  readonly preview: string;
  /** Role of the first message: `user`, unless that message was on a damaged line. Null without messages. */
  readonly firstRole: 'user' | 'assistant' | 'tool-results' | 'summary' | null;
  readonly messageCount: number;
  /** Epoch milliseconds of the last event, except embeddings and token counts. */
  readonly updatedAt: number;
  readonly running: boolean;
  /** Whether a request waits, in this window, until the user approves its cost. */
  readonly waiting: boolean;
  /** Whether parts of the chat are only in memory because this window could not write them. */
  readonly unsaved: boolean;
  /** Null if the log is not damaged. `lines` is 0 if a whole file cannot be read, or if lines are missing. */
  readonly damage: { readonly lines: number } | null;
  /** US dollars of all its requests. Null if no request was billed at a known price. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. If it is not 0, `cost` is a lower bound. */
  readonly unknownRequests: number;
}

export interface ApiSearchOptions {
  /** The role to search. Default: all roles. */
  readonly role?: ApiSearchRole;
  /** Most results, at least 1. Default: 50. */
  readonly limit?: number;
}

export type ApiSearchRole = 'user' | 'assistant' | 'tool-results' | 'summary' | 'title';

export interface ApiSearchResult {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Null for a title. The attempt's id for an unfinished reply. */
  readonly messageId: string | null;
  readonly role: ApiSearchRole;
  /** About 100 characters around the first match, on one line. `…` marks an end where the text continues. */
  readonly excerpt: string;
  /** The match in `excerpt`, in UTF-16 units. */
  readonly matchStart: number;
  readonly matchLength: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** `rules`, `references` and `tools` are the names in `context`, by type. */
export interface ApiChat extends ApiContextNames {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly running: boolean;
  readonly config: ApiChatConfig;
  /** Paths of the files in the session context. */
  readonly files: readonly string[];
  /** The items of the chat, and how they were added. */
  readonly context: readonly ApiSessionItem[];
  readonly messages: readonly ApiMessage[];
  /** Open questions to the user in this window (servers, costs, tool calls), each kind oldest first. See `respond`. */
  readonly questions: readonly ApiQuestion[];
}

export type ApiQuestion = ApiServerQuestion | ApiSpendQuestion | ApiToolQuestion | ApiStepQuestion;

/** Whether a server of the workspace may start. A message waits for it. `line` is its command or address. */
export interface ApiServerQuestion extends ServerQuestionView {
  readonly kind: 'server';
}

export interface ApiSpendQuestion extends SpendQuestionView {
  readonly kind: 'spend';
}

/** Whether a tool call may run. `arguments` is the model's own text. */
export interface ApiToolQuestion {
  readonly kind: 'tool';
  readonly id: string;
  readonly serverName: string;
  readonly name: string;
  readonly arguments: string;
}

/** Whether a run may continue calling tools after this number of steps. */
export interface ApiStepQuestion {
  readonly kind: 'steps';
  readonly id: string;
  readonly steps: number;
}

/** The chat's settings, named as in `loupe.defaults`. A model is `provider/model`. */
export type ApiChatConfig = Readonly<Record<string, string | number | null>>;

export interface ApiAttempt {
  readonly id: string;
  /** Embeddings and token counts are summed: `requests` is their number, and `getRequest` does not know them. */
  readonly purpose: 'reply' | 'title' | 'summary' | 'topic' | 'embedding' | 'count';
  readonly requests: number;
  /** The message with its reply. Null without a reply, and for a discarded one. */
  readonly messageId: string | null;
  /** `provider/model`. */
  readonly model: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Null when unknown: for token counts, and for embeddings without a response. */
  readonly outcome: 'running' | 'complete' | 'stopped' | 'failed' | 'interrupted' | null;
  /** Null when unknown, and while the request runs. */
  readonly usage: ApiAttemptUsage | null;
  /** US dollars. Null when unknown or not billed. */
  readonly cost: number | null;
  /** Whether the real cost may be higher: searches are billed in addition, or a price is unknown. */
  readonly costAtLeast: boolean;
  /** Whether an edit, a retry or a rewind discarded its conversation. */
  readonly discarded: boolean;
  /** Whether a fork copied it. The chat that made it counts its usage. */
  readonly inherited: boolean;
}

export interface ApiRequest {
  /** The HTTP body. If `exact`, byte for byte as it was sent. */
  readonly body: string;
  /** Whether the hash of the rebuilt body equals the hash of the sent body. */
  readonly exact: boolean;
  /** Why the body is not exact. Null if it is. */
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
   * `atLeast`: the conversation is far over the budget, and `body` and `blocks` contain only its end.
   */
  readonly basis: 'exact' | 'providerCount' | 'estimate' | 'atLeast';
  /** Typical relative error of an estimate, measured on earlier requests. Null when unknown. */
  readonly error: number | null;
  /** Changes for what the model does not accept: one sentence per kind. */
  readonly adaptations: readonly string[];
  /** Files that do not fit: one sentence for each of the first ones. */
  readonly warnings: readonly string[];
  readonly problem: string | null;
  readonly blocks: readonly ApiBlock[];
  /** The items that the request would hold. */
  readonly items: readonly ApiContextItem[];
  readonly notSelected: readonly ApiNotSelectedItem[];
  /** The tool calls that it does not hold, with their results, oldest first. */
  readonly forgotten: readonly ApiForgottenCalls[];
  /** The expected use of the cache. Null if the provider's cache rules are unknown, and if `basis` is `atLeast`. */
  readonly forecast: ApiForecast | null;
}

export interface ApiForecast {
  /**
   * Cache read, cache write and uncached tokens. Their sum may differ slightly from `totalTokens`, because parts that
   * were sent before count as the provider reported them.
   */
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  /** US dollars for the input, now and after the cache expires. Null without prices. */
  readonly costNow: number | null;
  readonly costAfterExpiry: number | null;
  /** When the cache that it reads expires, in epoch milliseconds. Null if it reads nothing. */
  readonly expiresAt: number | null;
  /** Range of the turn's cost in 8 of 10 cases, in US dollars. Null without tools, and below five known turns. */
  readonly turn: { readonly low: number; readonly high: number } | null;
}

/** Tool calls of a reply that a request does not hold. Forgotten after `after` turns; null: excluded by the user. */
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
  /** The model's input limit / 16, as in the reference implementation. Null when unknown. */
  readonly maxHistoryTokens: number | null;
  /** The model's input limit. Null when unknown. */
  readonly maxInputTokens: number | null;
  readonly remaining: number;
  /** Whether Loupe will summarize the chat after the next reply. */
  readonly needsSummary: boolean;
  /**
   * `trigger`: tokens of the messages at which Loupe writes a summary; 0 if it never does, or if the number of messages
   * decides. `percent`: how close the chat is to it.
   */
  readonly compaction: { readonly enabled: boolean; readonly trigger: number; readonly percent: number };
}

export interface ApiUsage {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /** Number of attempts with unknown usage or price. If it is not 0, the sums are lower bounds. */
  readonly unknownAttempts: number;
  /** Null if no attempt was billed at a known price. */
  readonly cost: number | null;
  /**
   * Tokens in the context window after the chat's latest reply. After a summary: those of the summary and of the
   * messages sent with it. Null when unknown, and for all chats.
   */
  readonly contextWindow: number | null;
}
