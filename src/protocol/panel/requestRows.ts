import type { Remark } from '../../engine/context/catalogItem.js';
import type { Category } from '../../engine/model/block.js';
import type { CacheParts } from '../forecast.js';
import type { ExcludedTurns } from './exclusion.js';
import type { ContextGroup, ContextItemView, NotSelectedItems } from './contextItems.js';

/*
 * Rows that list the content of the next request, and of the request for a reply.
 */

export type { Category };

/** A row of a request: one block, or several blocks of one source. */
export interface BlockView {
  readonly label: string;
  /** Key of the item in the row, such as `file:src/a.ts`, `rule:AGENTS.md` or `tool:git/log`. Null for other rows. */
  readonly file: string | null;
  /** Name of a tool's MCP server. Null for all other rows. */
  readonly server: string | null;
  readonly category: Category;
  readonly count: number;
  readonly tokens: number;
  /** The row's tokens by expected cache use. Null when unknown, and in a request that was already sent. */
  readonly cache: CacheParts | null;
  /** Tokens that an on-demand tool's definition adds at the place where a tool result loaded it. Missing otherwise. */
  readonly loadedTokens?: number;
  /** How the row's item was included. Null for a row without an item. */
  readonly includeMode: ContextItemView['includeMode'] | null;
  /** How well the item matches the message. Null unless Loupe selected the item for its match. */
  readonly score: number | null;
  /** Whether Loupe included the row only because earlier requests contained it. */
  readonly isEarlier: boolean;
}

/** Tool calls of one reply that a request does not send, and their results. */
export interface ForgottenView {
  /** Names of the tools. For a single call also its main argument: `read_file src/a.ts`. */
  readonly label: string;
  readonly calls: number;
  readonly tokens: number;
  /** When Loupe forgot the calls, or that the user excluded the calls: `after 1 turn`, `excluded by you`. */
  readonly reason: string;
  /** Id of the reply's entry, so that the user can include the calls again. Null if Loupe forgot the calls. */
  readonly bringsBack: string | null;
  /** Id of the call, if the user excluded a single call. Missing in all other cases. */
  readonly callId?: string;
}

/** All tool calls that a request does not send. */
export interface ForgottenCalls {
  readonly calls: number;
  readonly tokens: number;
  /** Number of replies that made these calls. */
  readonly replies: number;
  /** The newest replies with omitted calls, newest first, at most `MOST_LISTED_ITEMS`. */
  readonly first: readonly ForgottenView[];
}

export interface NextRequestRows {
  /** The items of the request by kind and include mode: `5 rules (3 agent, 2 always), 1 file (manual)`. */
  readonly summary: string;
  readonly blocks: readonly BlockView[];
  readonly notSelected: NotSelectedItems;
  readonly forgotten: ForgottenCalls;
  readonly excludedTurns: ExcludedTurns;
  /** Number of available items by kind, whether the request contains them or not. */
  readonly available: Readonly<Record<'rule' | 'reference' | 'skill' | 'tool', number>>;
  /** MCP servers with a tool in the request, in the order of the request's rows. */
  readonly servers: readonly RequestServer[];
  /** Problems with catalog files that Loupe uses in spite of the problem. */
  readonly remarks: readonly Remark[];
}

/** An MCP server with tools in the next request. */
export interface RequestServer {
  readonly name: string;
  /** Number of tools of the server, whether the request contains them or not. */
  readonly total: number;
  /** Tools of the server that the request does not contain. */
  readonly notSelected: NotSelectedItems;
  /** Number of replies that were searched for `calls`. */
  readonly replies: number;
  /** Tools of the server that the model called, each with the number of replies since its last call. */
  readonly calls: readonly { readonly name: string; readonly ago: number }[];
}

export interface PicksView {
  readonly text: string;
  /** Whether the request for text embeddings failed. */
  readonly hasFailed: boolean;
}

/** The content of a request. It can be large, so the host sends it only while the entry is expanded. */
export interface ContextRows {
  readonly groups: readonly ContextGroup[];
  readonly notSelected: NotSelectedItems;
  readonly forgotten: ForgottenCalls;
  /** A sentence: how Loupe selected items for the message. Null if Loupe only compared words, as the settings say. */
  readonly picks: PicksView | null;
  /** All blocks of the request. Tokens that the wire format adds are not included. */
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  /** How Loupe changed content that the model did not accept: one sentence per kind of change. */
  readonly adaptations: readonly string[];
  /** Files that did not fit into the request: one sentence for each of the first few files. */
  readonly warnings: readonly string[];
  readonly window: ReplyWindowView;
}

/**
 * The context window after a reply. `unchanged`: the next request does not contain the reply. `unknown`: the provider
 * did not report all usage. Without reported cache use, the cache figures are null and all input is `uncachedTokens`.
 */
export type ReplyWindowView =
  | {
      readonly kind: 'known';
      /** Sum of uncached, cached, written and output tokens. */
      readonly tokens: number;
      /** The model's input limit. Null when unknown, or if the user removed the model. */
      readonly limit: number | null;
      readonly uncachedTokens: number;
      readonly cachedTokens: number | null;
      readonly writtenTokens: number | null;
      readonly outputTokens: number;
      /** Whether Loupe counted one of these figures, because the provider did not report it. */
      readonly isEstimate: boolean;
    }
  | { readonly kind: 'unchanged' | 'unknown' };
