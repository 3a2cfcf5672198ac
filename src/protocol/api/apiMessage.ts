/*
 * Messages of a chat in the public API, and the items of their requests. Plain JSON.
 */

export interface ApiMessage extends Partial<ApiContextNames> {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary' | 'accounting' | 'system-title' | 'title' | 'system-summary';
  /** The text. For a tool's text of more than 16 KB, only its first ~1,000 characters. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** User messages: no reply was made, and later requests do not send it. */
  readonly unsent?: boolean;
  /** Images of the message or of its tool results, as data URIs. */
  readonly images: readonly string[];
  /** One sentence for each image that is missing in `images`, with the reason. */
  readonly missingImages: readonly string[];
  /** Assistant messages: the items of the request. `rules`, `references` and `tools` are their names, by type. */
  readonly requestContext?: ApiRequestContext;
  readonly usage?: ApiAttemptUsage;
  /** Assistant messages: the user stopped the reply. */
  readonly stopped?: boolean;
  /** Assistant messages: index of the last block with a cache breakpoint. Null without a breakpoint. */
  readonly cacheControlIndex?: number | null;
  /** Assistant messages with tool calls: workspace paths that the tools wrote, each once. */
  readonly filesModified?: readonly string[];
  /** Assistant messages with tool calls: the result of each edit of a file. */
  readonly editResults?: readonly ApiEditResult[];
}

export interface ApiContextNames {
  readonly rules: readonly string[];
  readonly references: readonly string[];
  readonly tools: readonly { readonly serverName: string; readonly toolName: string }[];
}

/** An edit of one file by the tools of a reply. */
export interface ApiEditResult {
  /** Relative to the workspace, or the path as the model wrote it. */
  readonly path: string;
  /** `undone`: the user restored the file. `notApplied`: the tool did not make the edit. */
  readonly status: 'applied' | 'deleted' | 'undone' | 'notApplied';
  /** Lines. Null when unknown, and for an edit that was not made. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Why it was not made, for example `changed` or `outside`. Null otherwise. */
  readonly reason: string | null;
}

export interface ApiRequestContext {
  readonly items: readonly ApiContextItem[];
  /** Items of the chat or its catalog that the request did not hold. */
  readonly notSelected: readonly ApiNotSelectedItem[];
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

interface ApiItemName {
  readonly type: 'rule' | 'reference' | 'skill' | 'tool' | 'file';
  readonly name: string;
  readonly serverName?: string;
}

/** An item of a chat. `always`: included when the chat began. `manual`: added by hand. */
export interface ApiSessionItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual';
}

export interface ApiContextItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand';
  readonly similarityScore?: number;
}

export interface ApiNotSelectedItem extends ApiContextItem {
  /** The code of the reason (such as `belowScore` or `removed`) and details: `{ code: 'belowScore', minimum: 0.3 }`. */
  readonly reason: { readonly code: string };
}

/** Tokens of one attempt, and its cost in US dollars. Null when unknown. The cost of free models is also null. */
export interface ApiAttemptUsage {
  readonly promptTokens: number | null;
  readonly cacheReadInputTokens: number | null;
  readonly cacheCreationInputTokens: number | null;
  readonly completionTokens: number | null;
  /** Whether Loupe counted the figures, because the provider did not report them. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  /** Whether the real cost may be higher: searches are billed in addition, or a price is unknown. */
  readonly costAtLeast: boolean;
}
