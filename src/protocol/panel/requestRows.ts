import type { Remark } from '../../engine/context/catalogItem.js';
import type { ReplyWindowView } from '../../engine/accounting/replyWindow.js';
import type { Category } from '../../engine/model/block.js';
import type { BlockView } from '../../engine/next/blockViews.js';
import type { ExcludedTurns } from './exclusion.js';
import type { ItemChange } from './itemChanges.js';
import type { ContextGroup, NotSelectedItems } from './contextItems.js';

/*
 * Rows that list the content of the next request, and of the request for a reply.
 */

export type { BlockView, Category, ReplyWindowView };

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

/** A tool result that the next request sends as a reference to earlier content. */
export interface RepeatView {
  /** Name and main argument of the call: `read_file src/a.ts`. */
  readonly label: string;
  /** The earlier content: `result 1 of read_file src/a.ts`. */
  readonly of: string;
  /** Whether the reference has the difference to the earlier content. */
  readonly isChanged: boolean;
  /** Tokens that the request saves. */
  readonly saved: number;
  /** Id of the message with the full result. */
  readonly messageId: string;
  readonly callId: string;
}

/** All tool results that the next request sends as references. */
export interface RepeatedResults {
  readonly results: number;
  readonly saved: number;
  /** The newest results, newest first, at most `MOST_LISTED_ITEMS`. */
  readonly first: readonly RepeatView[];
}

export interface NextRequestRows {
  /** The items of the request by kind and include mode: `5 rules (3 agent, 2 always), 1 file (manual)`. */
  readonly summary: string;
  readonly blocks: readonly BlockView[];
  readonly notSelected: NotSelectedItems;
  /** Items that differ from the last request of the chat, by key. */
  readonly changes: Readonly<Record<string, ItemChange>>;
  readonly forgotten: ForgottenCalls;
  readonly repeats: RepeatedResults;
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
