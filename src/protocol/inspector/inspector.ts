import * as z from 'zod/mini';
import type { LeftOutItems } from '../panel/contextItems.js';
import type { CacheParts } from '../forecast.js';
import { replaced } from '../member.js';
import type { ObservationView } from '../observation.js';
import { id, parse, type Parsed, VIEW_MESSAGES } from '../parse.js';
import type { Verdict } from './verdict.js';
import { type DeltaOf, type Members, type StateMessage, type ViewState, viewState } from '../viewState.js';

/*
 * The state of the Request Inspector, as plain JSON, and its messages to the host. Of texts and payloads it has the lines on show.
 */

/** Stands for the next request, which has not been sent. */
export const NEXT_REQUEST = 'next';

/** Lines of a text before more are asked for, and those that a click adds. */
export const LINES_AT_ONCE = 300;
/** Most lines of a text on show: a page with more is slow, and the text document has them all. */
export const MOST_LINES = 6_000;
/** Characters of a line on show: an image or a large result is one line of the payload. */
export const MOST_OF_LINE = 2_000;
const MAX_TEXT_LENGTH = 1_000;

export const DETAILS = ['change', 'payload', 'text'] as const;
export type DetailKind = (typeof DETAILS)[number];

const inspectorQuery = z.strictObject({
  /** The id of an attempt, or `NEXT_REQUEST`. */
  request: id,
  /** The place of the selected block, from 0; null while the request is new on show, and the host selects one. */
  block: z.nullable(z.int().check(z.minimum(0))),
  /** Null while the host chooses. */
  detail: z.nullable(z.enum(DETAILS)),
  /** Lines of the payload before those of the block. */
  before: z.int().check(z.minimum(0), z.maximum(MOST_LINES)),
  /** Most lines from the first of the block on. */
  most: z.int().check(z.minimum(1), z.maximum(MOST_LINES)),
  /** What the texts of the blocks have to hold. */
  find: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
});

/** What the inspector shows. */
export type InspectorQuery = z.infer<typeof inspectorQuery>;

/** What happened before a request: a message was edited, a file changed, or it asked for a summary. */
export type RequestSign = 'edit' | 'summary' | 'changedFile';

/** A request in the chart. */
export interface ChartRequest {
  readonly id: string;
  /** Tokens of its input by what the cache did with them; all fresh where nothing is known of that. */
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
  /** US dollars; null when nothing has a known price. */
  readonly cost: number | null;
  /** Requests of which usage or price are unknown. */
  readonly unknown: number;
}

/** What a block is, for its icon and for folding. */
export type BlockKind = 'tool' | 'system' | 'rule' | 'reference' | 'skill' | 'file' | 'summary' | 'message';

export interface InspectedBlock {
  readonly name: string;
  readonly kind: BlockKind;
  /** The id of the message that it is a part of; null for other blocks. */
  readonly message: string | null;
  /** The name of the server of a tool; null for other blocks. */
  readonly server: string | null;
  readonly tier: string;
  /** How long the cache keeps what ends here; null without a mark. */
  readonly mark: '5m' | '30m' | '1h' | null;
  readonly tokens: number;
  /** Null where it is not known. */
  readonly cache: CacheParts | null;
  /** US dollars; null where it is not known. */
  readonly price: number | null;
  /** Why it is there. */
  readonly why: string;
  /** Why its content cannot be shown; null where it can. */
  readonly problem: string | null;
}

/** Another request, and its number in the chat, from 1. */
export interface RequestName {
  readonly id: string;
  readonly number: number;
}

/** A request that was sent, or the next one. */
export interface InspectedRequest {
  readonly id: string;
  /** Its number in the chat, from 1; null for the next one. */
  readonly number: number | null;
  readonly purpose: string;
  /** Epoch milliseconds; null for the next one. */
  readonly at: number | null;
  readonly model: string;
  /** What is to be known of it, a sentence each. */
  readonly notes: readonly string[];
  readonly blocks: readonly InspectedBlock[];
  /** Tokens of the whole input. */
  readonly input: number;
  /** `reported` by the provider, `counted` by Loupe, or a `forecast`. */
  readonly source: 'reported' | 'counted' | 'forecast';
  /** What the cache did with the whole input; null where it is not known. */
  readonly parts: CacheParts | null;
  /** What the wire format adds to the blocks, and what else their tokens differ from the input. */
  readonly framing: number;
  readonly difference: number;
  readonly inputPrice: number | null;
  /** Tokens of the reply; null where they are not known, and for the next request. */
  readonly reply: number | null;
  readonly replyPrice: number | null;
  /** Whether the model is not billed. */
  readonly isPretended: boolean;
  /** The request that it is compared with, as in its verdict; null without one. */
  readonly before: RequestName | null;
  /** The first place at which the request before held another block; null where all that it held stands here, too, and without one. */
  readonly differsAt: number | null;
  readonly leftOut: LeftOutItems;
  /** The places of blocks that are only in it because they were sent before. */
  readonly earlier: readonly number[];
  /** What the cache of its model was found to do; null where nothing was. */
  readonly observation: ObservationView | null;
}

/** A line of a text, or of a change: `−` was before, `+` is there now, and `@` says how many lines are the same. */
export interface DetailLine {
  readonly text: string;
  /** Characters that are not shown. */
  readonly cut: number;
  readonly mark: '' | '+' | '−' | '@';
  /** From 1; null where it has none. */
  readonly number: number | null;
  /** In the request before; null where it was not there, and outside of changes. */
  readonly numberBefore: number | null;
}

/** What would have cost less, and what can be done about it. */
export interface InspectorHint {
  readonly text: string;
  /** `use`: the chat can be set to it. `undo`: it was, here. Null where nothing can be done, or the chat has it already. */
  readonly offer: 'use' | 'undo' | null;
  /** What the chat was set to, with `undo`; otherwise empty. */
  readonly done: string;
}

/** What is shown of the selected block. */
export interface InspectorDetail {
  /** What follows from the query, in which null is chosen by the host. */
  readonly block: number;
  readonly kind: DetailKind;
  /** A sentence above the lines; empty for none. */
  readonly note: string;
  readonly lines: readonly DetailLine[];
  /** How many lines there are before and after those. */
  readonly linesBefore: number;
  readonly linesAfter: number;
}

export interface InspectorState {
  readonly chatId: string;
  readonly query: InspectorQuery;
  /** Null until the chat is read. */
  readonly chart: InspectorChart | null;
  /** Null until it is read. */
  readonly request: InspectedRequest | null;
  /** Null until it is known. */
  readonly verdict: Verdict | null;
  /** Null until it is known, and where nothing would have cost less. */
  readonly hint: InspectorHint | null;
  /** Null until it is read, and for a request without blocks. */
  readonly detail: InspectorDetail | null;
  /** The places of the blocks that hold what is looked for; null while nothing is. */
  readonly found: readonly number[] | null;
  /** Why there is nothing to show; null while there is. */
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

/** The deltas of the inspector's state. */
export const INSPECTOR_STATE: ViewState<InspectorState, InspectorDelta> = viewState(MEMBERS);

export type InspectorMessage = StateMessage<InspectorState, InspectorDelta>;

const inspectorToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  z.strictObject({ type: z.literal('ask'), query: inspectorQuery }),
  /** Copies the whole body. */
  z.strictObject({ type: z.literal('copyPayload') }),
  /** Copies the text of a block. */
  z.strictObject({ type: z.literal('copyBlock'), block: z.int().check(z.minimum(0)) }),
  z.strictObject({ type: z.literal('showRaw') }),
  z.strictObject({ type: z.literal('exportRequest') }),
  /** Sets the chat to what the hint names, and back. */
  z.strictObject({ type: z.literal('useHint') }),
  z.strictObject({ type: z.literal('undoHint') }),
  /** Sends the message behind the request on show again, with one thing changed. */
  z.strictObject({ type: z.literal('sendAgain') }),
  /** Shows the request of an attempt, of this chat or another one. */
  z.strictObject({ type: z.literal('showRequest'), chatId: id, attemptId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
]);

/** The messages from the inspector to the host. */
export type InspectorToHost = z.infer<typeof inspectorToHost>;

/** Parses what the inspector posted; never throws. */
export function parseInspectorToHost(value: unknown): Parsed<InspectorToHost> {
  return parse(inspectorToHost, value);
}

/** What is shown of a request first. */
export function firstQuery(request: string): InspectorQuery {
  return { request, block: null, detail: null, before: 0, most: LINES_AT_ONCE, find: '' };
}
