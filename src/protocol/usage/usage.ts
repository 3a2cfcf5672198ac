import * as z from 'zod/mini';
import type { Period } from '../../engine/accounting/periods.js';
import type { UsageReport } from '../../engine/accounting/usageReport.js';
import { id, parse, type Parsed, VIEW_MESSAGES } from '../parse.js';
import { replaced } from '../member.js';
import { type DeltaOf, type Members, type StateMessage, type ViewState, viewState } from '../viewState.js';

/*
 * The state of the usage view, as plain JSON, and its messages to the host. A local time is the milliseconds since the epoch
 * that a clock on the wall shows: it is written as if it were UTC.
 */

const EXTENTS = ['workspace', 'computer'] as const;
const PERIOD_UNITS = ['day', 'week', 'month'] as const;
const PARTS = ['reply', 'title', 'summary', 'embedding', 'count', 'probe', 'retry', 'discarded'] as const;
const COLUMNS = ['when', 'purpose', 'chat', 'model', 'in', 'cached', 'written', 'out', 'price'] as const;

/** Requests in the table before more are asked for. */
export const FIRST_REQUESTS = 20;
/** Most requests in the table: a page with more is slow, and what is looked for is found by a filter or in an export. */
export const MOST_REQUESTS = 2_000;
const MAX_TEXT_LENGTH = 1_000;

const usageQuery = z.strictObject({
  /** The chats of this workspace, or of all workspaces on this computer. */
  extent: z.enum(EXTENTS),
  unit: z.enum(PERIOD_UNITS),
  /** The local time at which the period begins; null for the current one. */
  from: z.nullable(z.int()),
  chatId: z.nullable(id),
  /** The key of a model. */
  model: z.nullable(id),
  part: z.nullable(z.enum(PARTS)),
  /** The local time at which a bar of the chart begins. */
  bar: z.nullable(z.int()),
  /** What the bars are divided by. */
  stackBy: z.enum(['part', 'model']),
  /** What the names in a row of the table have to hold. */
  text: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
  sort: z.strictObject({ column: z.enum(COLUMNS), isDescending: z.boolean() }),
  /** How many requests the table shows. */
  most: z.int().check(z.minimum(1), z.maximum(MOST_REQUESTS)),
});

/** What the view shows: a period, filters (null and '' are none), and how. */
export type UsageQuery = z.infer<typeof usageQuery>;
export type PeriodUnit = UsageQuery['unit'];
export type UsagePart = (typeof PARTS)[number];
export type UsageColumn = (typeof COLUMNS)[number];

export type { UsageBar, UsageGroup, UsageRanking } from '../../engine/accounting/usageReport.js';
export type { UsageMeasure, UsageSum } from '../../engine/accounting/usageSum.js';

export interface UsagePeriod extends Period {
  readonly isCurrent: boolean;
  /** Whether there were requests before it. */
  readonly hasEarlier: boolean;
}

/** The sums of a period. */
export interface UsageFigures extends UsageReport {
  readonly period: UsagePeriod;
  /** The chats with requests in the period, and the one that is filtered by; a deleted one has no title. */
  readonly chatTitles: Readonly<Record<string, string | null>>;
  /** By key. */
  readonly modelNames: Readonly<Record<string, string>>;
}

/** A count of tokens; null where it is unknown. */
export type UsageCount = { readonly value: number; readonly isEstimated: boolean } | null;

/** What a request cost, or why that is not known. */
export type UsagePrice =
  | { readonly usd: number; readonly isAtLeast: boolean; readonly isEstimated: boolean }
  | 'unbilled'
  | 'noPrice'
  | 'unknown';

export interface UsageRequest {
  /** Id of the attempt. */
  readonly id: string;
  readonly chatId: string;
  /** Null for a deleted chat. */
  readonly chat: string | null;
  /** Whether it can be shown: it is in a chat of this workspace that is not deleted. */
  readonly opens: boolean;
  /** Whether it is in a chat of another workspace. */
  readonly isElsewhere: boolean;
  readonly local: number;
  /** How many requests the row has: those that are made outside of runs are summed. */
  readonly requests: number;
  readonly purpose: string;
  readonly model: string;
  readonly counts: Readonly<Record<'in' | 'cached' | 'written' | 'out', UsageCount>>;
  readonly price: UsagePrice;
}

export interface UsageRequests {
  /** How many pass the filters. */
  readonly count: number;
  readonly rows: readonly UsageRequest[];
}

export interface UsageState {
  readonly query: UsageQuery;
  /** Null until all chats have been read. */
  readonly figures: UsageFigures | null;
  readonly requests: UsageRequests | null;
  /** Why the chats could not be read; null when they could, or while they are being read. */
  readonly problem: string | null;
}

const MEMBERS = {
  query: replaced<UsageQuery>(),
  figures: replaced<UsageState['figures']>(),
  requests: replaced<UsageState['requests']>(),
  problem: replaced<UsageState['problem']>(),
} satisfies Members<UsageState>;

export type UsageDelta = DeltaOf<typeof MEMBERS>;

/** The deltas of the usage view's state. */
export const USAGE_STATE: ViewState<UsageState, UsageDelta> = viewState(MEMBERS);

export type UsageMessage = StateMessage<UsageState, UsageDelta>;

export const USAGE_FORMATS = ['csv', 'json'] as const;
export type UsageFormat = (typeof USAGE_FORMATS)[number];

const usageToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  z.strictObject({ type: z.literal('ask'), query: usageQuery }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, attemptId: id }),
  /** Exports the requests that the table shows or could show more of. */
  z.strictObject({ type: z.literal('exportUsage'), format: z.enum(USAGE_FORMATS) }),
  z.strictObject({ type: z.literal('addPrices') }),
  z.strictObject({ type: z.literal('openSpendSettings') }),
  z.strictObject({ type: z.literal('writeMessage') }),
]);

/** The messages from the usage view to the host. */
export type UsageToHost = z.infer<typeof usageToHost>;

/** Parses what the usage view posted; never throws. */
export function parseUsageToHost(value: unknown): Parsed<UsageToHost> {
  return parse(usageToHost, value);
}

/** What the view shows first: the current week of all chats of the workspace. */
export const FIRST_QUERY: UsageQuery = {
  extent: 'workspace',
  unit: 'week',
  from: null,
  chatId: null,
  model: null,
  part: null,
  bar: null,
  stackBy: 'part',
  text: '',
  sort: { column: 'when', isDescending: true },
  most: FIRST_REQUESTS,
};

const PURPOSES: Readonly<Record<string, string>> = {
  reply: 'Reply',
  title: 'Title',
  topic: 'Topic',
  summary: 'Summary',
  embedding: 'Embeddings',
  count: 'Token count',
  probe: 'Test message',
};

/** `Reply`, `Retry`, `Summary, retry`, `Reply, discarded`: what a request was for, as the table says it and its filter finds it. */
export function purposeInWords(purpose: string, isRetry: boolean, isDiscarded: boolean): string {
  const name = PURPOSES[purpose] ?? purpose;
  const words = isRetry ? (purpose === 'reply' ? ['Retry'] : [name, 'retry']) : [name];
  return [...words, ...(isDiscarded ? ['discarded'] : [])].join(', ');
}
