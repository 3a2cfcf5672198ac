/*
 * The public API: what `activate` returns (`extensions.getExtension('loupe.loupe').exports`). All values are plain
 * JSON. All functions reject with an `Error` whose message is written for the user.
 */

import type { Block } from '../../engine/model/block.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import type { ForgottenTools } from '../../engine/record/manifest.js';
import type { ApiDiagnosis } from './apiDiagnosis.js';
import type { ApiAttemptUsage, ApiContextItem, ApiContextNames, ApiMessage, ApiNotSelectedItem, ApiSessionItem } from './apiMessage.js';
import type { ServerQuestionView, SpendQuestionView } from '../questions.js';

export interface LoupeApi {
  readonly version: string;
  /** Creates a chat with the default settings. Resolves to its id. */
  newChat(): Promise<string>;
  /** Returns the chats of this workspace, most recently used first. */
  listChats(options: { readonly limit: number }): Promise<readonly ApiChatSummary[]>;
  getChat(chatId: string): Promise<ApiChat>;
  /** Returns the messages of a chat. Empty for a chat outside this workspace (`getChat` rejects in that case). */
  getSession(chatId: string): Promise<readonly ApiMessage[]>;
  /**
   * Sends a message to a chat (default: the visible chat), now or after the running reply. Resolves when the run of the
   * message has ended, even if the run failed or was stopped. `images` are data URIs (`data:image/png;base64,...`) of
   * PNG, JPEG, GIF or WebP images. Rejects if an image cannot be sent.
   */
  sendMessage(text: string, options?: { readonly chatId?: string; readonly images?: readonly string[] }): Promise<void>;
  /**
   * Finds messages and titles in the chats of this workspace that contain `query` in any case, newest first. An empty
   * query has no results. Messages discarded by an edit or retry, and unfinished replies, are included. Deleted chats,
   * tool calls and reasoning are not. Tool texts over 16 KB are searched only in their first ~1,000 characters.
   */
  searchHistory(query: string, options?: ApiSearchOptions): Promise<readonly ApiSearchResult[]>;
  /** Returns the requests of the chat for all purposes, oldest first, even failed and discarded requests. */
  listAttempts(chatId: string): Promise<readonly ApiAttempt[]>;
  /** Returns a request, rebuilt from the log. `id` is the id of the request's attempt or of its assistant message. */
  getRequest(chatId: string, id: string): Promise<ApiRequest>;
  /** Explains the cost of a request. `id` is the id of the request's attempt or of its assistant message. */
  diagnose(chatId: string, id: string): Promise<ApiDiagnosis>;
  /** Returns the request that Loupe would send now, with `text` as the new message. Default: the draft in the panel. */
  previewNextRequest(chatId: string, options?: { readonly text?: string }): Promise<ApiPreview>;
  getHistoryStatus(chatId: string): Promise<ApiHistoryStatus>;
  /** Returns the usage of one chat, or of this workspace with its deleted chats and requests outside of chats. */
  getUsage(chatId?: string): Promise<ApiUsage>;
  /** Answers a question that `getChat` returned, for example about a cost. Rejects if the question is closed. */
  respond(chatId: string, questionId: string, answer: 'allow' | 'refuse'): Promise<void>;
  /** Sets a fragment of the chat's system prompt, which the chat's log keeps. No `text` removes the fragment. */
  setFragment(chatId: string, id: string, text?: string): Promise<void>;
  /**
   * Sets a text that requests send with the editor state, after the newest message. The chat's log keeps the text. Null
   * removes it. Loupe sends only the beginning of a long text.
   */
  setWorkspace(chatId: string, text: string | null): Promise<void>;
  /**
   * Replaces the conversation, or its part up to message `upTo`, with a summary written by the chat's model. Resolves
   * when the summary is ready or was cancelled.
   */
  summarize(chatId: string, options?: { readonly upTo?: string }): Promise<void>;
  /** Undoes the latest summary: requests send the replaced messages again. */
  undoCompaction(chatId: string): Promise<void>;
  /** Pins a message: every request sends it, even if a summary replaces other messages. */
  pin(chatId: string, messageId: string): Promise<void>;
  unpin(chatId: string, messageId: string): Promise<void>;
  /**
   * Excludes a part from later requests: a turn (by its user message, or by a reply without tool calls), the tool calls
   * of a reply with their results, or only the call `callId`. If the chat keeps its prompt cached, the part is sent
   * until its removal costs nothing, unless `now` is true. Rejects if the message is not sent or has no reply yet.
   */
  exclude(chatId: string, messageId: string, options?: { readonly now?: boolean; readonly callId?: string }): Promise<void>;
  /** Undoes `exclude` for a message, or for one tool call of a reply. */
  include(chatId: string, messageId: string, options?: { readonly callId?: string }): Promise<void>;
}

export interface ApiChatSummary {
  readonly id: string;
  readonly title: string;
  /** First ~100 characters of the first message, or why the chat cannot be read. Empty for a chat without messages. */
  readonly preview: string;
  /** Role of the first message that can be read: `user`, unless the first message is damaged. Null without messages. */
  readonly firstRole: 'user' | 'assistant' | 'tool-results' | 'summary' | null;
  readonly messageCount: number;
  /** Time of the last event except embeddings and token counts, in epoch milliseconds. 0 for an unreadable chat. */
  readonly updatedAt: number;
  readonly running: boolean;
  /** Whether a question to the user is open in this VS Code window: about a cost, tool call, more steps or a server. */
  readonly waiting: boolean;
  /** Whether parts of the chat are only in memory because this VS Code window could not write them. */
  readonly unsaved: boolean;
  /** Null if the log is not damaged. `lines` is 0 if a whole file cannot be read, or if lines are missing. */
  readonly damage: { readonly lines: number } | null;
  /** US dollars of all requests of the chat. Null if no request was billed at a known price. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. If it is not 0, `cost` is a lower bound. */
  readonly unknownRequests: number;
}

export interface ApiSearchOptions {
  /** The role to search. Default: all roles. */
  readonly role?: ApiSearchRole;
  /** Maximum number of results, at least 1. Default: 50. */
  readonly limit?: number;
}

export type ApiSearchRole = 'user' | 'assistant' | 'tool-results' | 'summary' | 'title';

export interface ApiSearchResult {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Id of the message that contains the text. For an unfinished reply: the attempt's id. Null for a title. */
  readonly messageId: string | null;
  readonly role: ApiSearchRole;
  /** About 100 characters around the first match, on one line. `…` marks an end where the text continues. */
  readonly excerpt: string;
  /** Start of the match in `excerpt`, in UTF-16 units. */
  readonly matchStart: number;
  readonly matchLength: number;
  /** Time of the message in epoch milliseconds. */
  readonly timestamp: number;
}

/** A chat. `rules`, `references` and `tools` have the names of the items in `context`, by type. */
export interface ApiChat extends ApiContextNames {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly running: boolean;
  readonly config: ApiChatConfig;
  /** Paths of the chat's files. */
  readonly files: readonly string[];
  /** The items of the chat (rules, references, tools, files), and how each one was added. */
  readonly context: readonly ApiSessionItem[];
  readonly messages: readonly ApiMessage[];
  /** Open questions to the user in this VS Code window, oldest first within each kind. Answer them with `respond`. */
  readonly questions: readonly ApiQuestion[];
}

export type ApiQuestion = ApiServerQuestion | ApiSpendQuestion | ApiToolQuestion | ApiStepQuestion;

/** The question whether an MCP server may start, so that a message can be sent. `line`: the command or address. */
export interface ApiServerQuestion extends ServerQuestionView {
  readonly kind: 'server';
}

export interface ApiSpendQuestion extends SpendQuestionView {
  readonly kind: 'spend';
}

/** The question whether a tool call may run. `arguments` is the text exactly as the model wrote it. */
export interface ApiToolQuestion {
  readonly kind: 'tool';
  readonly id: string;
  readonly serverName: string;
  readonly name: string;
  readonly arguments: string;
}

/** The question whether a run may continue calling tools after this number of steps. */
export interface ApiStepQuestion {
  readonly kind: 'steps';
  readonly id: string;
  readonly steps: number;
}

/** The chat's settings, named as in `loupe.defaults`. A model is `provider/model`. */
export type ApiChatConfig = Readonly<Record<string, string | number | null>>;

export interface ApiAttempt {
  readonly id: string;
  /** An attempt for `embedding` or `count` is the sum of `requests` requests, which `getRequest` cannot return. */
  readonly purpose: 'reply' | 'title' | 'summary' | 'topic' | 'keepWarm' | 'embedding' | 'count';
  readonly requests: number;
  /** Id of the assistant message with the reply. Null if there is no reply, or if the reply was discarded. */
  readonly messageId: string | null;
  /** The model in the form `provider/model`. */
  readonly model: string;
  /** Start time in epoch milliseconds. */
  readonly startedAt: number;
  /** How the request ended. Null when unknown: for token counts, and for embeddings without a response. */
  readonly outcome: 'running' | 'complete' | 'stopped' | 'failed' | 'interrupted' | null;
  /** Null while the request runs, and if its usage is unknown. */
  readonly usage: ApiAttemptUsage | null;
  /** Cost in US dollars. Null when unknown or not billed. */
  readonly cost: number | null;
  /** Whether the real cost may be higher: web searches are billed in addition, or a price is unknown. */
  readonly costAtLeast: boolean;
  /** Whether an edit, a retry or a rewind discarded the reply. */
  readonly discarded: boolean;
  /** Whether a fork copied the attempt from another chat. Its usage belongs to that chat. */
  readonly inherited: boolean;
}

export interface ApiRequest {
  /** The HTTP body. If `exact` is true, the bytes are the same as those that were sent. */
  readonly body: string;
  /** Whether the hash of the rebuilt body equals the hash of the sent body. */
  readonly exact: boolean;
  /** Why `body` is not exact. Null if it is exact. */
  readonly note: string | null;
  readonly totalTokens: number;
  readonly blocks: readonly ApiBlock[];
}

export interface ApiBlock extends Pick<Block, 'key' | 'role' | 'hash' | 'tokens'> {
  readonly breakpoint: '5m' | '30m' | '1h' | null;
}

export interface ApiPreview {
  readonly body: string;
  readonly totalTokens: number;
  readonly budget: number;
  /**
   * The source of `totalTokens`: the tokenizer of the model, the provider's count of this request, or an estimate.
   * `atLeast`: the conversation is far over the budget, and `body` and `blocks` contain only the end of it.
   */
  readonly basis: 'exact' | 'providerCount' | 'estimate' | 'atLeast';
  /** Typical relative error of an estimate, measured on earlier requests. Null when unknown. */
  readonly error: number | null;
  /** How Loupe changed content that the model does not accept: one sentence per kind of change. */
  readonly adaptations: readonly string[];
  /** Files that are too large for the request: one sentence for each of the first few files. */
  readonly warnings: readonly string[];
  readonly problem: string | null;
  readonly blocks: readonly ApiBlock[];
  /** The items in the request. */
  readonly items: readonly ApiContextItem[];
  readonly notSelected: readonly ApiNotSelectedItem[];
  /** Tool calls that the request omits, with their results, oldest first. */
  readonly forgotten: readonly ApiForgottenCalls[];
  /** The expected cache use. Null if the provider's cache rules are unknown, or if `basis` is `atLeast`. */
  readonly forecast: ApiForecast | null;
}

export interface ApiForecast {
  /**
   * Cache read, cache write and uncached tokens. Their sum may differ slightly from `totalTokens`, because the
   * provider's figures are used for parts that were sent before.
   */
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  /** US dollars for the input: if sent now, and if sent after the cache expires. Null without prices. */
  readonly costNow: number | null;
  readonly costAfterExpiry: number | null;
  /** When the cache entry that the request reads expires, in epoch milliseconds. Null if it reads no cache. */
  readonly expiresAt: number | null;
  /** Range of the turn's cost in 8 of 10 cases (US dollars). Null without tools, or with under five known turns. */
  readonly turn: { readonly low: number; readonly high: number } | null;
}

/** Tool calls of a reply that a request omits: after `after` turns, or excluded by the user (`after` is null). */
export type ApiForgottenCalls = Omit<ForgottenTools, 'callId'>;

export interface ApiHistoryStatus {
  readonly historyTokens: number;
  /** The model's input limit / 16. Null when unknown. */
  readonly maxHistoryTokens: number | null;
  /** The model's input limit. Null when unknown. */
  readonly maxInputTokens: number | null;
  readonly remaining: number;
  /** Whether Loupe will summarize the chat after the next reply. */
  readonly needsSummary: boolean;
  /**
   * `trigger`: Loupe writes a summary when the messages have this many tokens. 0 if Loupe never writes one, or if the
   * number of messages decides. `percent`: how much of `trigger` or of the number of messages is reached.
   */
  readonly compaction: { readonly enabled: boolean; readonly trigger: number; readonly percent: number };
}

export interface ApiUsage extends UsageTotals {
  /**
   * Tokens in the context window after the chat's latest reply. After a summary: tokens of the summary and of the
   * messages sent with it. Null when unknown, and for the usage of all chats.
   */
  readonly contextWindow: number | null;
}
