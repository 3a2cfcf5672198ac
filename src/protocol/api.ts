/*
 * The public API: what `activate` returns (`extensions.getExtension('loupe.loupe').exports`). Plain JSON values
 * only. Every function rejects with an `Error` whose message is written for the user.
 */

export interface LoupeApi {
  readonly version: string;
  /** Creates a chat with the defaults of the settings; resolves to its id. */
  newChat(): Promise<string>;
  /** Chats of this workspace, most recently used first. */
  listChats(options: { readonly limit: number }): Promise<readonly ApiChatSummary[]>;
  getChat(chatId: string): Promise<ApiChat>;
  /** Sends a message, to the chat on show when none is named; resolves when its run has ended, however it ended. */
  sendMessage(text: string, options?: { readonly chatId?: string }): Promise<void>;
  /**
   * Messages and titles in the chats of this workspace that contain `query`, whatever its case, newest first; none
   * for an empty query. What an edit or a retry has set aside is found too, and so are replies that broke
   * off or are still coming in; deleted chats, calls of tools, reasoning and texts of tools over 16 KB are not.
   */
  searchHistory(query: string, options?: ApiSearchOptions): Promise<readonly ApiSearchResult[]>;
  /** The request behind an assistant message, rebuilt from the log. */
  getRequest(chatId: string, messageId: string): Promise<ApiRequest>;
  /** The request that would be sent now, the panel's draft as its message. */
  previewNextRequest(chatId: string): Promise<ApiPreview>;
  getHistoryStatus(chatId: string): Promise<ApiHistoryStatus>;
  /** Usage of one chat, or of all chats of this workspace, those that were deleted included. */
  getUsage(chatId?: string): Promise<ApiUsage>;
  /** Sets a fragment of the chat's system prompt for this activation; without `text` removes it. */
  setFragment(chatId: string, id: string, text?: string): Promise<void>;
}

export interface ApiChatSummary {
  readonly id: string;
  readonly title: string;
  /** First ~100 characters of the first message; empty for a chat without one. */
  readonly preview: string;
  readonly messageCount: number;
  /** Epoch milliseconds of the last event. */
  readonly updatedAt: number;
  readonly running: boolean;
}

export interface ApiSearchOptions {
  /** What to find; all of it when left out. */
  readonly role?: ApiSearchRole;
  /** At least 1; 50 when left out. */
  readonly limit?: number;
}

export type ApiSearchRole = 'user' | 'assistant' | 'tool-results' | 'summary' | 'title';

export interface ApiSearchResult {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Null for a title; the id of the request for a reply that broke off or is still coming in. */
  readonly messageId: string | null;
  readonly role: ApiSearchRole;
  /** About 100 characters around the first match, on one line; `…` stands where the text goes on. */
  readonly excerpt: string;
  /** The match in `excerpt`, in UTF-16 units. */
  readonly matchStart: number;
  readonly matchLength: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

export interface ApiChat {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly running: boolean;
  readonly config: ApiChatConfig;
  /** Files in the session context, by path. */
  readonly files: readonly string[];
  readonly messages: readonly ApiMessage[];
}

/** The chat's settings by the names of their defaults in `loupe.defaults`: a model as `provider/model`. */
export type ApiChatConfig = Readonly<Record<string, string | number | null>>;

export interface ApiMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary' | 'accounting' | 'error' | 'system-title' | 'title' | 'system-summary';
  /** Of a tool's text that is kept outside the log (over 16 KB) it has the first ~1,000 characters. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** User messages: it was never answered and is not sent with later requests. */
  readonly unsent?: boolean;
  /** Images of the message, of tool results too, as data URIs. */
  readonly images: readonly string[];
  /** Why an image is not among them, a sentence each. */
  readonly missingImages: readonly string[];
  /** Assistant messages: what the request used, and the names of it by type. */
  readonly requestContext?: ApiRequestContext;
  readonly rules?: readonly string[];
  readonly references?: readonly string[];
  readonly tools?: readonly { readonly serverName: string; readonly toolName: string }[];
  readonly usage?: ApiAttemptUsage;
  /** Assistant messages: the user stopped it. */
  readonly stopped?: boolean;
}

export interface ApiRequestContext {
  readonly items: readonly ApiContextItem[];
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

export interface ApiContextItem {
  readonly type: 'rule' | 'reference' | 'tool' | 'file';
  readonly name: string;
  readonly serverName?: string;
  readonly includeMode: 'always' | 'manual' | 'agent';
  readonly similarityScore?: number;
}

/** Tokens of one attempt; null is unknown. Costs in US dollars. */
export interface ApiAttemptUsage {
  readonly promptTokens: number | null;
  readonly cacheReadInputTokens: number | null;
  readonly cacheCreationInputTokens: number | null;
  readonly completionTokens: number | null;
  /** Whether the figures are counts made here instead of the provider's. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
}

export interface ApiRequest {
  /** The HTTP body, byte for byte as it was sent when `exact`. */
  readonly body: string;
  /** True when the rebuilt body has the hash of the one that was sent. */
  readonly exact: boolean;
  /** Why it is not exact; null when it is. */
  readonly note: string | null;
  readonly totalTokens: number;
  readonly blocks: readonly ApiBlock[];
}

export interface ApiBlock {
  readonly key: string;
  readonly role: 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';
  readonly hash: string;
  readonly tokens: number;
  readonly breakpoint: '5m' | '1h' | null;
}

export interface ApiPreview {
  readonly body: string;
  readonly totalTokens: number;
  readonly budget: number;
  /**
   * What `totalTokens` rests on: the model's own tokenizer, the provider's count of this request, or an estimate.
   * `atLeast`: the conversation is far over the budget; `body` and `blocks` then hold its end only.
   */
  readonly basis: 'exact' | 'providerCount' | 'estimate' | 'atLeast';
  /** Typical relative error of an estimate, measured on earlier requests; null when it is not known. */
  readonly error: number | null;
  /** What the model gets in another form than it was said, a sentence each. */
  readonly adaptations: readonly string[];
  readonly problem: string | null;
  readonly blocks: readonly ApiBlock[];
}

export interface ApiHistoryStatus {
  readonly historyTokens: number;
  /** The model's input limit / 16, as the reference reports it. */
  readonly maxHistoryTokens: number;
  readonly maxInputTokens: number;
  readonly remaining: number;
  readonly needsSummary: boolean;
  readonly compaction: { readonly enabled: boolean; readonly trigger: number; readonly percent: number };
}

export interface ApiUsage {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /** Attempts whose usage or price is unknown: the sums are then lower bounds. */
  readonly unknownAttempts: number;
  readonly cost: number | null;
  /** Tokens in the context window after the latest reply of the chat; null for all chats and when unknown. */
  readonly contextWindow: number | null;
}
