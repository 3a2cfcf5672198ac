/*
 * Messages of a chat in the public API, and the items of their requests. Plain JSON.
 */

export interface ApiMessage extends Partial<ApiContextNames> {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary' | 'accounting' | 'system-title' | 'title' | 'system-summary';
  /** The text of the message. For a tool result of more than 16 KB, only the first ~1,000 characters. */
  readonly text: string;
  /** When the message was written, in epoch milliseconds. */
  readonly timestamp: number;
  /** Only for user messages: whether the message has no reply. Later requests then skip the message. */
  readonly unsent?: boolean;
  /** Images of the message or of its tool results, as data URIs. */
  readonly images: readonly string[];
  /** One sentence for each image that is missing in `images`, with the reason. */
  readonly missingImages: readonly string[];
  /** Only for assistant messages: the items of the request. `rules`, `references`, `tools`: names of items by type. */
  readonly requestContext?: ApiRequestContext;
  readonly usage?: ApiAttemptUsage;
  /** Only for assistant messages: whether the user stopped the reply. */
  readonly stopped?: boolean;
  /** Only for assistant messages: index of the last block with a cache breakpoint. Null without a breakpoint. */
  readonly cacheControlIndex?: number | null;
  /** Only for assistant messages with tool calls: workspace paths that tools wrote or deleted, without undone edits. */
  readonly filesModified?: readonly string[];
  /** Only for assistant messages with tool calls: the result of each edit of a file. */
  readonly editResults?: readonly ApiEditResult[];
}

export interface ApiContextNames {
  readonly rules: readonly string[];
  readonly references: readonly string[];
  readonly tools: readonly { readonly serverName: string; readonly toolName: string }[];
}

/** An edit of one file by the tools of a reply. */
export interface ApiEditResult {
  /** Path relative to the workspace. For a file outside it: the path as the model wrote it. */
  readonly path: string;
  /** `undone`: the user undid the edit. `notApplied`: the tool did not make the edit. */
  readonly status: 'applied' | 'deleted' | 'undone' | 'notApplied';
  /** Number of lines. Null when unknown, and for an edit that was not applied. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Why the edit was not applied, for example `changed` or `outside`. Null if it was applied. */
  readonly reason: string | null;
}

export interface ApiRequestContext {
  readonly items: readonly ApiContextItem[];
  /** Items of the chat or its catalog that the request does not contain. */
  readonly notSelected: readonly ApiNotSelectedItem[];
  /** When the request was sent, in epoch milliseconds. */
  readonly timestamp: number;
}

interface ApiItemName {
  readonly type: 'rule' | 'reference' | 'skill' | 'tool' | 'file' | 'page' | 'repository';
  /** Path of a file, or address of a web page. */
  readonly name: string;
  readonly serverName?: string;
}

/** An item of a chat. `always`: Loupe added it when the chat began. `manual`: the user added it. */
export interface ApiSessionItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual';
}

export interface ApiContextItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand';
  readonly similarityScore?: number;
}

export interface ApiNotSelectedItem extends ApiContextItem {
  /** Code of the reason, such as `belowScore` or `removed`, with details: `{ code: 'belowScore', minimum: 0.3 }`. */
  readonly reason: { readonly code: string };
}

/** Tokens and cost (US dollars) of one attempt. Unknown figures, and the cost of free models, are null. */
export interface ApiAttemptUsage {
  readonly promptTokens: number | null;
  readonly cacheReadInputTokens: number | null;
  readonly cacheCreationInputTokens: number | null;
  readonly completionTokens: number | null;
  /** Whether Loupe counted the input tokens, because the provider did not report them. Likewise for the output. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  /** Whether the real cost may be higher: web searches are billed in addition, or a price is unknown. */
  readonly costAtLeast: boolean;
}
