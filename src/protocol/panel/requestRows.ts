import type { Remark } from '../../engine/context/catalogItem.js';
import type { Category } from '../../engine/model/block.js';
import type { CacheParts } from '../forecast.js';
import type { ExcludedTurns } from './exclusion.js';
import type { ContextGroup, ContextItemView, NotSelectedItems } from './contextItems.js';

/*
 * The parts of requests: of the next one, and of the request for a reply.
 */

export type { Category };

/** A row of a request: one block, or several blocks of one source. */
export interface BlockView {
  readonly label: string;
  /** Key of the row's item, such as `file:src/a.ts`, `rule:AGENTS.md` or `tool:git/log`. Null for other rows. */
  readonly file: string | null;
  /** Name of a tool's server. Null for all other rows. */
  readonly server: string | null;
  readonly category: Category;
  readonly count: number;
  readonly tokens: number;
  /** Its tokens by expected cache use. Null when unknown, and in a request that was sent. */
  readonly cache: CacheParts | null;
  /** Tokens of an on-demand tool's definition at the place in the conversation that loaded it. Missing otherwise. */
  readonly loadedTokens?: number;
  /** How its item was included. Null for a row without an item. */
  readonly includeMode: ContextItemView['includeMode'] | null;
  /** How well it matches the message. Null unless it was picked for that. */
  readonly score: number | null;
  /** Whether it is only included because earlier requests sent it. */
  readonly isEarlier: boolean;
}

/** Tool calls of one reply, with their results, that are missing in a request. */
export interface ForgottenView {
  /** Names of the tools. For a single call also its subject: `read_file src/a.ts`. */
  readonly label: string;
  readonly calls: number;
  readonly tokens: number;
  /** The reason after `Forgotten`: `after 1 turn`. */
  readonly reason: string;
  /** Id of the reply's entry, to include the calls again. Null unless the user excluded them. */
  readonly bringsBack: string | null;
  /** The only call that was excluded. Missing if all were excluded. */
  readonly callId?: string;
}

/** All tool calls that are missing in a request. */
export interface ForgottenCalls {
  readonly calls: number;
  readonly tokens: number;
  /** Number of replies with these calls. */
  readonly replies: number;
  /** The `MOST_LEFT_OUT` newest of them, newest first. */
  readonly first: readonly ForgottenView[];
}

export interface NextRequestRows {
  /** Its items by kind and include mode: `5 rules (3 agent, 2 always), 1 file (manual)`. */
  readonly summary: string;
  readonly blocks: readonly BlockView[];
  readonly notSelected: NotSelectedItems;
  readonly forgotten: ForgottenCalls;
  readonly excludedTurns: ExcludedTurns;
  /** Numbers of available items, in the request or not. */
  readonly available: Readonly<Record<'rule' | 'reference' | 'skill' | 'tool', number>>;
  /** Servers with a tool in the request, in the order of its rows. */
  readonly servers: readonly RequestServer[];
  /** Problems with files of the catalog that are used anyway. */
  readonly remarks: readonly Remark[];
}

/** A server with tools in the next request. */
export interface RequestServer {
  readonly name: string;
  /** Number of its tools, in the request or not. */
  readonly total: number;
  /** Tools that the request does not hold. */
  readonly notSelected: NotSelectedItems;
  /** Number of replies that `calls` is based on. */
  readonly replies: number;
  /** Its tools that were called, each with the number of replies since the last call. */
  readonly calls: readonly { readonly name: string; readonly ago: number }[];
}

export interface PicksView {
  readonly text: string;
  /** Whether the embeddings request failed. */
  readonly hasFailed: boolean;
}

/** The items of a request. This grows with the context, so it is sent only while the entry is open. */
export interface ContextRows {
  readonly groups: readonly ContextGroup[];
  readonly notSelected: NotSelectedItems;
  readonly forgotten: ForgottenCalls;
  /** A sentence about how items were picked for the message. Null if only words were compared, as configured. */
  readonly picks: PicksView | null;
  /** All blocks of the request, without framing. */
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  /** Changes for what the model did not accept: one sentence per kind. */
  readonly adaptations: readonly string[];
  /** Files that did not fit: one sentence for each of the first ones. */
  readonly warnings: readonly string[];
  readonly window: ReplyWindowView;
}

/**
 * The context window after a reply. `unchanged`: the next request does not hold the reply. `unknown`: the provider did
 * not report all usage. Without reported cache use, cache figures are null and all input is `uncachedTokens`.
 */
export type ReplyWindowView =
  | {
      readonly kind: 'known';
      /** The sum of the four parts. */
      readonly tokens: number;
      /** The model's input limit. Null when unknown, or if the model was removed. */
      readonly limit: number | null;
      readonly uncachedTokens: number;
      readonly cachedTokens: number | null;
      readonly writtenTokens: number | null;
      readonly outputTokens: number;
      /** Whether Loupe counted a part that the provider did not report. */
      readonly isEstimate: boolean;
    }
  | { readonly kind: 'unchanged' | 'unknown' };
