import * as z from 'zod/mini';
import type { NotSelectedItems } from '../panel/contextItems.js';
import type { CacheParts } from '../forecast.js';
import { replaced } from '../member.js';
import type { ObservationView } from '../observation.js';
import { id, parse, type ParseResult, VIEW_MESSAGES } from '../parse.js';
import type { Verdict } from './verdict.js';
import { type DeltaOf, type Members, type StateMessage, type ViewState, viewState } from '../viewState.js';

/*
 * The state of the Request Inspector as plain JSON, and its messages to the host. Texts contain only the visible lines.
 */

/** Used instead of an attempt id for the next request, which has not been sent. */
export const NEXT_REQUEST = 'next';

/** Lines of a text that are shown first, and lines that each click adds. */
export const LINES_AT_ONCE = 300;
/** Most visible lines of a text. More would make the page slow; the text document has all of them. */
export const MOST_LINES = 6_000;
/** Most visible characters of a line. An image or a large result is one line of the payload. */
export const MOST_OF_LINE = 2_000;
const MAX_TEXT_LENGTH = 1_000;

export const DETAILS = ['change', 'payload', 'text'] as const;
export type DetailKind = (typeof DETAILS)[number];

const inspectorQuery = z.strictObject({
  /** The id of an attempt, or `NEXT_REQUEST`. */
  request: id,
  /** Index of the selected block, from 0. Null for a newly opened request: the host then selects one. */
  block: z.nullable(z.int().check(z.minimum(0))),
  /** Null: the host chooses. */
  detail: z.nullable(z.enum(DETAILS)),
  /** Number of payload lines shown before the block. */
  before: z.int().check(z.minimum(0), z.maximum(MOST_LINES)),
  /** Most lines, counted from the first line of the block. */
  most: z.int().check(z.minimum(1), z.maximum(MOST_LINES)),
  /** Search text for the texts of the blocks. */
  find: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
});

export type InspectorQuery = z.infer<typeof inspectorQuery>;

/** Events before a request: an edited message, a changed file, or a summary. */
export type RequestSign = 'edit' | 'summary' | 'changedFile';

export interface ChartRequest {
  readonly id: string;
  /** Tokens of its input by cache read, cache write and uncached. All are uncached if the cache use is unknown. */
  readonly parts: CacheParts;
  /** Whether the provider reported them. Otherwise Loupe counted them. */
  readonly isReported: boolean;
  readonly signs: readonly RequestSign[];
}

/** All requests of a chat, in the order in which they were sent. */
export interface InspectorChart {
  readonly chat: string;
  readonly requests: readonly ChartRequest[];
  readonly input: number;
  readonly read: number;
  readonly output: number;
  /** US dollars. Null if no price is known. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. */
  readonly unknown: number;
}

/** Selects the icon of a block and how it is folded. */
export type BlockKind = 'tool' | 'system' | 'rule' | 'reference' | 'skill' | 'file' | 'summary' | 'message';

export interface InspectedBlock {
  readonly name: string;
  readonly kind: BlockKind;
  /** The id of the message that the block belongs to. Null for other blocks. */
  readonly message: string | null;
  /** The name of a tool's server. Null for other blocks. */
  readonly server: string | null;
  readonly tier: string;
  /** Lifetime of the cache breakpoint after this block. Null without a breakpoint. */
  readonly breakpoint: '5m' | '30m' | '1h' | null;
  readonly tokens: number;
  /** Null when unknown. */
  readonly cache: CacheParts | null;
  /** US dollars. Null when unknown. */
  readonly price: number | null;
  readonly why: string;
  /** Why its content cannot be shown. Null if it can. */
  readonly problem: string | null;
}

/** Another request and its number in the chat, from 1. */
export interface RequestName {
  readonly id: string;
  readonly number: number;
}

/** A request that was sent, or the next one. */
export interface InspectedRequest {
  readonly id: string;
  /** Its number in the chat, from 1. Null for the next request. */
  readonly number: number | null;
  readonly purpose: string;
  /** Epoch milliseconds. Null for the next request. */
  readonly at: number | null;
  readonly model: string;
  /** Notes about the request, one sentence each. */
  readonly notes: readonly string[];
  readonly blocks: readonly InspectedBlock[];
  readonly input: number;
  /** `reported` by the provider, `counted` by Loupe, or a `forecast`. */
  readonly source: 'reported' | 'counted' | 'forecast';
  /** Cache read, cache write and uncached tokens of the whole input. Null when unknown. */
  readonly parts: CacheParts | null;
  /** `framing`: tokens that the wire format adds. `difference`: the remaining difference between blocks and input. */
  readonly framing: number;
  readonly difference: number;
  readonly inputPrice: number | null;
  /** Tokens of the reply. Null when unknown, and for the next request. */
  readonly reply: number | null;
  readonly replyPrice: number | null;
  readonly isPretended: boolean;
  /** The request that it is compared with, as in its verdict. Null without one. */
  readonly before: RequestName | null;
  /** Index of the first block that differs from the compared request. Null if there is none. */
  readonly differsAt: number | null;
  readonly notSelected: NotSelectedItems;
  /** Indexes of blocks that are included only because earlier requests sent them. */
  readonly earlier: readonly number[];
  /** An observation about the cache of its model. Null without one. */
  readonly observation: ObservationView | null;
}

/** A line of a text or of a change: `−` was removed, `+` was added, `@` says how many lines are unchanged. */
export interface DetailLine {
  readonly text: string;
  /** Number of characters that are not shown. */
  readonly cut: number;
  readonly mark: '' | '+' | '−' | '@';
  /** From 1. Null for lines without a number. */
  readonly number: number | null;
  /** Line number in the earlier request. Null for added lines, and if no change is shown. */
  readonly numberBefore: number | null;
}

/** A change that would have cost less, and how to make it. */
export interface InspectorHint {
  readonly text: string;
  /** `use`: the chat can use the change. `undo`: the change was made here. Null if no change is possible or needed. */
  readonly offer: 'use' | 'undo' | null;
  /** The setting that was made, for `undo`. Otherwise empty. */
  readonly done: string;
}

export interface InspectorDetail {
  /** The values of the query. Where the query has null, the host chose these. */
  readonly block: number;
  readonly kind: DetailKind;
  /** A sentence above the lines. Empty for no sentence. */
  readonly note: string;
  readonly lines: readonly DetailLine[];
  /** Number of lines before and after the shown ones. */
  readonly linesBefore: number;
  readonly linesAfter: number;
}

export interface InspectorState {
  readonly chatId: string;
  readonly query: InspectorQuery;
  /** Null until the chat has been read. */
  readonly chart: InspectorChart | null;
  /** Null until it has been read. */
  readonly request: InspectedRequest | null;
  /** Null until it is known. */
  readonly verdict: Verdict | null;
  /** Null until it is known, and if nothing would have cost less. */
  readonly hint: InspectorHint | null;
  /** Null until it has been read, and for a request without blocks. */
  readonly detail: InspectorDetail | null;
  /** Indexes of the blocks that match the search. Null without a search. */
  readonly found: readonly number[] | null;
  /** Why nothing can be shown. Null otherwise. */
  readonly problem: string | null;
}

const MEMBERS = {
  chatId: replaced<string>(),
  query: replaced<InspectorQuery>(),
  chart: replaced<InspectorState['chart']>(),
  request: replaced<InspectorState['request']>(),
  verdict: replaced<InspectorState['verdict']>(),
  hint: replaced<InspectorState['hint']>(),
  detail: replaced<InspectorState['detail']>(),
  found: replaced<InspectorState['found']>(),
  problem: replaced<InspectorState['problem']>(),
} satisfies Members<InspectorState>;

export type InspectorDelta = DeltaOf<typeof MEMBERS>;

export const INSPECTOR_STATE: ViewState<InspectorState, InspectorDelta> = viewState(MEMBERS);

export type InspectorMessage = StateMessage<InspectorState, InspectorDelta>;

const inspectorToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  z.strictObject({ type: z.literal('ask'), query: inspectorQuery }),
  z.strictObject({ type: z.literal('copyPayload') }),
  z.strictObject({ type: z.literal('copyBlock'), block: z.int().check(z.minimum(0)) }),
  z.strictObject({ type: z.literal('showRaw') }),
  z.strictObject({ type: z.literal('exportRequest') }),
  /** Applies the change that the hint names. `undoHint` reverts it. */
  z.strictObject({ type: z.literal('useHint') }),
  z.strictObject({ type: z.literal('undoHint') }),
  /** Sends the message of the shown request again, with one change. */
  z.strictObject({ type: z.literal('sendAgain') }),
  /** Shows the request of an attempt, of this chat or another one. */
  z.strictObject({ type: z.literal('showRequest'), chatId: id, attemptId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
]);

export type InspectorToHost = z.infer<typeof inspectorToHost>;

/** Parses a message of the inspector. Never throws. */
export function parseInspectorToHost(value: unknown): ParseResult<InspectorToHost> {
  return parse(inspectorToHost, value);
}

/** Returns the query for a newly opened request. */
export function firstQuery(request: string): InspectorQuery {
  return { request, block: null, detail: null, before: 0, most: LINES_AT_ONCE, find: '' };
}
