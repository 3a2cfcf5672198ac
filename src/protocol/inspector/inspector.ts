import * as z from 'zod/mini';
import type { NotSelectedItems } from '../panel/requestRows.js';
import type { CacheParts, ObservationView } from '../forecast.js';
import { asked, id, parse, type ParseResult, VIEW_MESSAGES } from '../parse.js';
import { replaced, type DeltaOf, type StateMessage, type StateOf, type ViewState, viewState } from '../viewState.js';

/* The state of the Request Inspector as plain JSON. The host sends only the visible lines of long texts. */

/** Used in place of an attempt id to show the next request, which has not been sent. */
export const NEXT_REQUEST = 'next';

/** Number of text lines that are shown at first, and that each click adds. */
export const LINES_AT_ONCE = 300;
/** Maximum visible lines of a text. More would make the page slow. The user can open the whole text as a document. */
export const MOST_LINES = 6_000;
/** Maximum number of visible characters of a line. An image or a large result is a single line of the request body. */
export const MOST_OF_LINE = 2_000;
const MAX_TEXT_LENGTH = 1_000;

export const DETAILS = ['change', 'payload', 'text'] as const;
export type DetailKind = (typeof DETAILS)[number];

const inspectorQuery = z.strictObject({
  asked,
  /** The id of an attempt, or `NEXT_REQUEST`. */
  request: id,
  /** Index of the selected block, from 0. Null for a newly opened request: the host then selects a block. */
  block: z.nullable(z.int().check(z.minimum(0))),
  /** Which detail of the block is shown. Null: the host chooses. */
  detail: z.nullable(z.enum(DETAILS)),
  /** Number of lines of the request body to show before the block. */
  before: z.int().check(z.minimum(0), z.maximum(MOST_LINES)),
  /** Maximum number of lines to show, counted from the first line of the block. */
  most: z.int().check(z.minimum(1), z.maximum(MOST_LINES)),
  /** Search text. The texts of all blocks are searched. */
  find: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
});

export type InspectorQuery = z.infer<typeof inspectorQuery>;

/** Events to mark in the chart at a request: an edited message, or a summary. */
export type RequestSign = 'edit' | 'summary';

export interface ChartRequest {
  readonly id: string;
  /** Cache read, cache write and uncached input tokens. All are uncached if the cache use is unknown. */
  readonly parts: CacheParts;
  /** Whether the provider reported these tokens. Otherwise Loupe counted them. */
  readonly isReported: boolean;
  readonly signs: readonly RequestSign[];
  /** Files, rules and other items that changed since an earlier request: `AGENTS.md and 2 more`. Null for none. */
  readonly changed: string | null;
}

/** All requests of a chat, in the order in which they were sent. The sums exclude requests that a fork copied. */
export interface InspectorChart {
  readonly chat: string;
  readonly requests: readonly ChartRequest[];
  readonly input: number;
  readonly read: number;
  readonly output: number;
  /** Whether Loupe counted tokens of a reply. */
  readonly isOutputEstimated: boolean;
  /** US dollars of all requests. Null if no price is known. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. */
  readonly unknown: number;
}

/** The kind of a block. It decides the icon of the block and how its text is folded. */
export type BlockKind =
  | 'tool'
  | 'system'
  | 'rule'
  | 'reference'
  | 'skill'
  | 'file'
  | 'page'
  | 'repository'
  | 'summary'
  | 'editor'
  | 'message';

export interface InspectedBlock {
  readonly name: string;
  readonly kind: BlockKind;
  /** Id of the message that contains the block. Null for blocks outside messages. */
  readonly message: string | null;
  /** Name of the MCP server, for a tool's block. Null for other blocks. */
  readonly server: string | null;
  readonly tier: string;
  /** Lifetime of the cache breakpoint after this block. Null without a breakpoint. */
  readonly breakpoint: '5m' | '30m' | '1h' | null;
  readonly tokens: number;
  /** The block's tokens by cache use. Null when unknown. */
  readonly cache: CacheParts | null;
  /** US dollars for the block. Null when unknown. */
  readonly price: number | null;
  readonly why: string;
  /** Why the content of the block cannot be shown. Null if it can be shown. */
  readonly problem: string | null;
}

/** A request, named by its number in the chat, from 1. */
export interface RequestName {
  readonly id: string;
  readonly number: number;
}

/** The shown request: a request that was sent, or the next request. */
export interface InspectedRequest {
  readonly id: string;
  /** Number of the request in the chat, from 1. Null for the next request. */
  readonly number: number | null;
  readonly purpose: string;
  /** Start time in epoch milliseconds. Null for the next request. */
  readonly at: number | null;
  readonly model: string;
  /** Notes about the request, one sentence each. */
  readonly notes: readonly string[];
  readonly blocks: readonly InspectedBlock[];
  readonly input: number;
  /** Whether a reply of the model is in progress, which the request will contain too. Only for the next request. */
  readonly awaitsReply: boolean;
  /** Source of the figures: `reported` by the provider, `counted` by Loupe, or a `forecast` of Loupe. */
  readonly source: 'reported' | 'counted' | 'forecast';
  /** Cache read, cache write and uncached tokens of the whole input. Null when unknown. */
  readonly parts: CacheParts | null;
  /** `framing`: tokens that the wire format adds. `difference`: input tokens that no block or framing explains. */
  readonly framing: number;
  readonly difference: number;
  readonly inputPrice: number | null;
  /** Output tokens of the reply. Null when unknown, and for the next request. */
  readonly reply: number | null;
  readonly replyPrice: number | null;
  /** Whether Loupe counted the tokens of the reply, because the provider did not report them. */
  readonly isReplyEstimated: boolean;
  /** The earlier request with which the verdict compares this request. Null without a comparison. */
  readonly before: RequestName | null;
  /** Index of the first different block. Null without a comparison, or if one request is the beginning of the other. */
  readonly differsAt: number | null;
  readonly notSelected: NotSelectedItems;
  /** Indexes of blocks that Loupe included only because earlier requests contained them. */
  readonly earlier: readonly number[];
  /** What Loupe observed about the cache of the request's model. Null without an observation. */
  readonly observation: ObservationView | null;
}

/** A line of a text or of a change. `−`: removed. `+`: added. `@`: the number of unchanged lines that are omitted. */
export interface DetailLine {
  readonly text: string;
  /** Number of characters at the end of the line that are not shown. */
  readonly cut: number;
  readonly mark: '' | '+' | '−' | '@';
  /** Line number, from 1. Null for removed lines and for notes such as the number of unchanged lines. */
  readonly number: number | null;
  /** Line number in the earlier request. Null for added lines, and if no comparison is shown. */
  readonly numberBefore: number | null;
}

/** A change that would have cost less, and how the user can make that change. */
export interface InspectorHint {
  readonly text: string;
  /** `use`: the user can make the change. `undo`: the user has made the change and can undo it. Null for neither. */
  readonly offer: 'use' | 'undo' | null;
  /** For `undo`: which setting was changed. Otherwise empty. */
  readonly done: string;
}

export interface InspectorDetail {
  /** Index of the shown block. Where the query has null, the host chooses the block and the kind of detail. */
  readonly block: number;
  readonly kind: DetailKind;
  /** Sentences above the lines, or an empty text. */
  readonly note: string;
  readonly lines: readonly DetailLine[];
  /** Number of text lines before and after the visible ones. */
  readonly linesBefore: number;
  readonly linesAfter: number;
}

const INSPECTOR = {
  chatId: replaced<string>(),
  query: replaced<InspectorQuery>(),
  /** Null until the host has read the chat. */
  chart: replaced<InspectorChart | null>(),
  /** Null until the host has read the request. */
  request: replaced<InspectedRequest | null>(),
  /** Null until the host has computed the verdict. */
  verdict: replaced<Verdict | null>(),
  /** Null until the host has computed the hint, and if nothing would have cost less. */
  hint: replaced<InspectorHint | null>(),
  /** Null until the host has read the block, and for a request without blocks. */
  detail: replaced<InspectorDetail | null>(),
  /** Indexes of the blocks that match the search. Null without a search. */
  found: replaced<readonly number[] | null>(),
  /** Why nothing can be shown. Null if there is no problem. */
  problem: replaced<string | null>(),
};

export type InspectorState = StateOf<typeof INSPECTOR>;

export type InspectorDelta = DeltaOf<typeof INSPECTOR>;

export const INSPECTOR_STATE: ViewState<InspectorState, InspectorDelta> = viewState(INSPECTOR);

export type InspectorMessage = StateMessage<InspectorState, InspectorDelta>;

const inspectorToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  z.strictObject({ type: z.literal('ask'), query: inspectorQuery }),
  z.strictObject({ type: z.literal('copyPayload') }),
  z.strictObject({ type: z.literal('copyBlock'), block: z.int().check(z.minimum(0)) }),
  z.strictObject({ type: z.literal('showRaw') }),
  z.strictObject({ type: z.literal('exportRequest') }),
  /** Makes the change that the hint suggests. `undoHint` reverts the change. */
  z.strictObject({ type: z.literal('useHint') }),
  z.strictObject({ type: z.literal('undoHint') }),
  /** Sends the message of the shown request again, with one change. */
  z.strictObject({ type: z.literal('sendAgain') }),
  /** Shows the request of an attempt, in this chat or another chat. */
  z.strictObject({ type: z.literal('showRequest'), chatId: id, attemptId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
]);

export type InspectorToHost = z.infer<typeof inspectorToHost>;

/** Parses a message of the inspector. Never throws. */
export function parseInspectorToHost(value: unknown): ParseResult<InspectorToHost> {
  return parse(inspectorToHost, value);
}

export function firstQuery(request: string): InspectorQuery {
  return { asked: 0, request, block: null, detail: null, before: 0, most: LINES_AT_ONCE, find: '' };
}

/** What a request cost and why: the first line of the Request Inspector. */
export interface Verdict {
  /** `good`: cache read. `miss`: cached tokens were not read. `expired`: the cache had expired. `plain`: all else. */
  readonly tone: 'good' | 'miss' | 'expired' | 'plain';
  /** The cost in words: `Cost $0.0649`, `Cost unknown`, `Will cost $0.0292`. */
  readonly cost: string;
  /** The reason for the cost, shown after a colon, with its full stop. */
  readonly reason: string;
  /** What the provider reports about the difference. Null without a report, or if no cached tokens were lost. */
  readonly providerSays: string | null;
  /** Sentences with details, or an empty text. */
  readonly details: string;
  /** Whether the model has no prices, so that the user can add them. */
  readonly offersPrices: boolean;
  /** Index of the first changed block, from 0. Null if no changed content prevented a cache read. */
  readonly brokenAt: number | null;
}
