/*
 * The messages of a chat in the public API, and what their requests held. Plain JSON values.
 */

export interface ApiMessage extends Partial<ApiContextNames> {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary' | 'accounting' | 'system-title' | 'title' | 'system-summary';
  /** Holds only the first ~1,000 characters of a tool's text that is stored outside the log (over 16 KB). */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** User messages: the message was never answered, and later requests do not send it. */
  readonly unsent?: boolean;
  /** Images of the message, also in tool results, as data URIs. */
  readonly images: readonly string[];
  /** Why an image is not in `images`: a sentence for each missing one. */
  readonly missingImages: readonly string[];
  /** Assistant messages: what the request used. `rules`, `references` and `tools` are its names by type. */
  readonly requestContext?: ApiRequestContext;
  readonly usage?: ApiAttemptUsage;
  /** Assistant messages: the user stopped the reply. */
  readonly stopped?: boolean;
  /** Assistant messages: the index of the last block of the request with a cache breakpoint; null without one. */
  readonly cacheControlIndex?: number | null;
  /** Assistant messages with tool calls: paths within the workspace that the tools wrote, each once. */
  readonly filesModified?: readonly string[];
  /** Assistant messages with tool calls: what became of each edit of a file. */
  readonly editResults?: readonly ApiEditResult[];
}

/** The names of context items by type. */
export interface ApiContextNames {
  readonly rules: readonly string[];
  readonly references: readonly string[];
  readonly tools: readonly { readonly serverName: string; readonly toolName: string }[];
}

/** What the tools of a reply did to one file. */
export interface ApiEditResult {
  /** Within the workspace, or as the model named it. */
  readonly path: string;
  /** `undone`: the user put the file back. `notApplied`: the tool was asked for the edit, and did not make it. */
  readonly status: 'applied' | 'deleted' | 'undone' | 'notApplied';
  /** Lines; null when unknown, or for an edit that was not made. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Why it was not made, such as `changed` or `outside`; null otherwise. */
  readonly reason: string | null;
}

export interface ApiRequestContext {
  readonly items: readonly ApiContextItem[];
  /** What the chat or its catalog has and the request did not hold. */
  readonly notSelected: readonly ApiNotSelected[];
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

interface ApiItemName {
  readonly type: 'rule' | 'reference' | 'skill' | 'tool' | 'file';
  readonly name: string;
  readonly serverName?: string;
}

/** An item of a chat: `always` came in when the chat began, `manual` by hand. */
export interface ApiSessionItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual';
}

export interface ApiContextItem extends ApiItemName {
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand';
  readonly similarityScore?: number;
}

export interface ApiNotSelected extends ApiContextItem {
  /** The code of the reason, such as `belowScore` or `removed`, with its details: `{ code: 'belowScore', minimum: 0.3 }`. */
  readonly reason: { readonly code: string };
}

/** Tokens of one attempt, and its cost in US dollars. Null means unknown. The cost is also null for models that bill nothing. */
export interface ApiAttemptUsage {
  readonly promptTokens: number | null;
  readonly cacheReadInputTokens: number | null;
  readonly cacheCreationInputTokens: number | null;
  readonly completionTokens: number | null;
  /** Whether the figures are Loupe's own counts, not the provider's. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  /** Whether the real cost may be higher than `cost`: searches are billed as well, or a price is unknown. */
  readonly costAtLeast: boolean;
}
