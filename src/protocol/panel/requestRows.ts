import type { Remark } from '../../engine/context/catalogItem.js';
import type { ReplyWindowView } from '../../engine/accounting/replyWindow.js';
import type { Category } from '../../engine/model/block.js';
import type { BlockView } from '../../engine/next/blockViews.js';
import type { ContextItemType, RequestContextItem } from '../../engine/record/item.js';
import type { ItemChange } from '../../engine/next/itemChanges.js';
import { counted } from '../numbers.js';
import type { ItemUse } from '../../engine/context/use/itemUses.js';

export type { ExclusionPrice, ExclusionPrices } from '../../engine/next/exclusionPrices.js';
export type { BlockView, Category, ReplyWindowView, ItemChange, ItemUse };

/*
 * Rows that list the content of the next request, and of the request for a reply.
 */

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
  /** A sentence: why the request read little from the cache. Null if it read enough, or if unknown. */
  readonly uncached: string | null;
}

/*
 * Items that a request contains, or that were not selected for the request.
 */

export interface ContextGroup {
  readonly type: ContextItemType;
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Name of the item. The name of a tool is `server:tool`. */
  readonly name: string;
  /** The item's key, to open its file. Null for items that cannot be opened. */
  readonly file: string | null;
  readonly includeMode: RequestContextItem['includeMode'];
  readonly score: number | null;
  readonly tokens: number | null;
  /** Tokens of the whole file, if only its beginning fits into the request. Null otherwise. */
  readonly ofTokens: number | null;
  /** Why the item was not selected. Null if the request contains the item. */
  readonly notSelectedReason: string | null;
}

/** An item of the catalog that a request does not contain. */
export interface NotSelectedView extends ContextItemView {
  readonly type: ContextItemType;
  /** Whether the user can add the item. False if the item is turned off or cannot be read. */
  readonly canBeAdded: boolean;
}

/** Items that were not selected. Items that cannot be sent come first, then the best matches for the message. */
export interface NotSelectedItems {
  readonly total: number;
  /** The first `MOST_LISTED_ITEMS` items. */
  readonly first: readonly NotSelectedView[];
}

/** Maximum items in a list. A catalog may have a thousand items, and the host sends the list after each keystroke. */
export const MOST_LISTED_ITEMS = 40;

export interface ExcludedTurnView {
  /** Id of the user message that begins the turn. */
  readonly id: string;
  /** The beginning of the user message, on one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether requests still contain the turn, until the prompt is rebuilt. */
  readonly isHeld: boolean;
}

export interface ExcludedTurns {
  readonly total: number;
  /** The newest turns, newest first, at most `MOST_LISTED_ITEMS`. */
  readonly first: readonly ExcludedTurnView[];
}

/** Describes a change for a tooltip or a note. */
export function changeInWords(change: ItemChange): string {
  switch (change.kind) {
    case 'changed':
      return `Changed since the last request (${sizeInWords(change.tokens)}). The next request sends the new version.`;
    case 'changedSinceAdded':
      return 'Changed since you added it. The next request sends the new version.';
    case 'deleted':
      return 'Deleted since the last request.';
  }
}

function sizeInWords(tokens: number): string {
  return tokens === 0 ? 'same size' : `${tokens > 0 ? '+' : '−'}${counted(Math.abs(tokens), 'token')}`;
}

/** Which items of its request a turn used: in its texts and tool calls, and by changed files. */
export interface ReplyUses {
  /** Number of items in the request without tools, and number of tools. */
  readonly items: number;
  readonly tools: number;
  /** The used items and tools by key. */
  readonly uses: Readonly<Record<string, readonly ItemUse[]>>;
}

export type HeldMode = RequestContextItem['includeMode'] | 'forFiles';

/** The modes of items in a request, in words. */
export const HELD_MODES: Readonly<Record<HeldMode, string>> = {
  always: 'always',
  manual: 'manual',
  agent: 'agent',
  forFiles: 'by file',
  onDemand: 'on demand',
};

/** Returns the mode of an item in a request. An item that Loupe added for files has no score. */
export function heldMode(mode: RequestContextItem['includeMode'], score: number | null): HeldMode {
  return mode === 'agent' && score === null ? 'forFiles' : mode;
}
