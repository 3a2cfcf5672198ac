import type { Remark } from '../../engine/context/catalogItem.js';
import type { Category } from '../../engine/model/block.js';
import type { CacheParts } from '../forecast.js';
import type { LeftOutTurns } from './leavingOut.js';
import type { ContextGroup, ContextItemView, LeftOutItems } from './contextItems.js';

/*
 * Requests part by part: the next one, and that behind a reply.
 */

export type { Category };

/** A row of a request: one block, or several of one source folded into one. */
export interface BlockView {
  readonly label: string;
  /** The key of the row's item, such as `file:src/a.ts`, `rule:AGENTS.md` or `tool:git/log`; null for other rows. */
  readonly file: string | null;
  /** The name of the server of a tool; null for every other row. */
  readonly server: string | null;
  readonly category: Category;
  readonly count: number;
  readonly tokens: number;
  /** Its tokens by what the cache is expected to do with them; null where that is not known, and in a request that was sent. */
  readonly cache: CacheParts | null;
  /** Tokens of the definition of a tool on demand, which stands in the conversation, where it was loaded. Missing for any other row. */
  readonly loadedTokens?: number;
  /** How its item came into the request; null for a row without one. */
  readonly includeMode: ContextItemView['includeMode'] | null;
  /** How well it fits the message; null where it was not picked for that. */
  readonly score: number | null;
  /** Whether the request does not need it: it was sent before and is in the prompt still. */
  readonly isEarlier: boolean;
}

/** The tool calls of one reply that a request left out with their results. */
export interface ForgottenView {
  /** The names of the tools; of one call also what it is about: `read_file src/a.ts`. */
  readonly label: string;
  readonly calls: number;
  readonly tokens: number;
  /** Why, behind `Forgotten`: `after 1 turn`. */
  readonly reason: string;
  /** The id of the entry of the reply that made them, which brings them back; null where the user has not left them out. */
  readonly bringsBack: string | null;
  /** The one call of it that was left out by itself; missing where all were left out. */
  readonly callId?: string;
}

/** All tool calls that a request left out. */
export interface ForgottenCalls {
  readonly calls: number;
  readonly tokens: number;
  /** The number of replies that made them. */
  readonly replies: number;
  /** The newest `MOST_LEFT_OUT` of these, the newest first. */
  readonly first: readonly ForgottenView[];
}

/** The next request, part by part. */
export interface NextRequestRows {
  /** Its items by kind and include mode: `5 rules (3 agent, 2 always), 1 file (manual)`. */
  readonly summary: string;
  readonly blocks: readonly BlockView[];
  readonly leftOut: LeftOutItems;
  readonly forgotten: ForgottenCalls;
  readonly leftOutTurns: LeftOutTurns;
  /** How many rules, references, skills and tools there are, in the request or not. */
  readonly available: Readonly<Record<'rule' | 'reference' | 'skill' | 'tool', number>>;
  /** The servers with a tool in it, in the order of its rows. */
  readonly servers: readonly RequestServer[];
  /** What is wrong with files of the catalog that are used all the same. */
  readonly remarks: readonly Remark[];
}

/** A server of tools in the next request. */
export interface RequestServer {
  readonly name: string;
  /** How many tools it has, in the request or not. */
  readonly total: number;
  /** The tools that the request leaves out. */
  readonly leftOut: LeftOutItems;
  /** So many replies of the chat are behind `calls`. */
  readonly replies: number;
  /** Its tools that were called, each with how many replies came after the one that last called it. */
  readonly calls: readonly { readonly name: string; readonly ago: number }[];
}

export interface PicksView {
  readonly text: string;
  /** Whether the endpoint for embeddings failed. */
  readonly hasFailed: boolean;
}

/** What a request held, item by item. It is as long as the context, so it is sent only while the entry is open. */
export interface ContextRows {
  readonly groups: readonly ContextGroup[];
  readonly leftOut: LeftOutItems;
  readonly forgotten: ForgottenCalls;
  /** How items were picked for the message, a sentence; null where only words were to be compared. */
  readonly picks: PicksView | null;
  /** All blocks of the request, without framing. */
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  /** What was changed or left out because the model does not take it: a sentence for each kind. */
  readonly adaptations: readonly string[];
  /** What there was no room for, a sentence for each of the first files. */
  readonly warnings: readonly string[];
  readonly window: ReplyWindowView;
}

/**
 * The context window after a reply. `unchanged`: the next request does not hold the reply; `unknown`: a figure of its usage was not
 * reported. The cache figures are null where the provider tells of no cache: then all of the input is `freshTokens`.
 */
export type ReplyWindowView =
  | {
      readonly kind: 'known';
      /** The four below, together. */
      readonly tokens: number;
      /** Most input that its model takes; null when unknown, or the model is gone. */
      readonly limit: number | null;
      readonly freshTokens: number;
      readonly cachedTokens: number | null;
      readonly writtenTokens: number | null;
      readonly outputTokens: number;
      /** Whether a part is Loupe's own count, not the provider's. */
      readonly isEstimate: boolean;
    }
  | { readonly kind: 'unchanged' | 'unknown' };
