import * as z from 'zod/mini';
import type { Period } from '../../engine/accounting/periods.js';
import type { UsageReport } from '../../engine/accounting/usageReport.js';
import type { UsageSum } from '../../engine/accounting/usageSum.js';
import { LIMIT_MESSAGES, type LimitsView } from '../limits.js';
import { asked, id, parse, type ParseResult, VIEW_MESSAGES } from '../parse.js';
import type { UsageTurns } from './turns.js';
import { replaced, type DeltaOf, type StateMessage, type StateOf, type ViewState, viewState } from '../viewState.js';

/* The state of the *Usage* view as plain JSON. A local time is epoch milliseconds plus the user's UTC offset. */

const EXTENTS = ['workspace', 'computer'] as const;
const PERIOD_UNITS = ['day', 'week', 'month'] as const;
const PARTS = ['reply', 'title', 'summary', 'keepWarm', 'embedding', 'count', 'probe', 'retry', 'discarded'] as const;
const COLUMNS = ['when', 'purpose', 'chat', 'model', 'in', 'cached', 'written', 'out', 'price'] as const;

/** Number of requests that the table shows at first. */
export const FIRST_REQUESTS = 20;
/** Maximum requests in the table. More would make the page slow. The user finds others with filters and exports. */
export const MOST_REQUESTS = 2_000;
const MAX_TEXT_LENGTH = 1_000;

const usageQuery = z.strictObject({
  asked,
  /** The shown chats: chats of this workspace, or of all workspaces on this computer. */
  extent: z.enum(EXTENTS),
  unit: z.enum(PERIOD_UNITS),
  /** Local time at which the shown period begins. Null for the current period. */
  from: z.nullable(z.int()),
  chatId: z.nullable(id),
  model: z.nullable(id),
  part: z.nullable(z.enum(PARTS)),
  /** Local time at which the selected bar of the chart begins. Null if no bar is selected. */
  bar: z.nullable(z.int()),
  /** How each bar is divided: by purpose of the requests (`part`), or by model. */
  stackBy: z.enum(['part', 'model']),
  /** Search text. The names in each row are searched. */
  text: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
  sort: z.strictObject({ column: z.enum(COLUMNS), isDescending: z.boolean() }),
  most: z.int().check(z.minimum(1), z.maximum(MOST_REQUESTS)),
  /** Whether the view shows the turns of the chat `chatId` instead of a period. */
  byTurn: z.boolean(),
  /** Number of the first turn of the selected column. Null if no column is selected. */
  turn: z.nullable(z.int()),
  /** Whether the table has only turns in which cached content was sent again. */
  onlyLosses: z.boolean(),
});

/** What the view shows: a period, filters (null and '': no filter), and the order of bars and rows. */
export type UsageQuery = z.infer<typeof usageQuery>;
export type PeriodUnit = UsageQuery['unit'];
export type UsagePart = (typeof PARTS)[number];
export type UsageColumn = (typeof COLUMNS)[number];

export type { UsageBar, UsageGroup, UsageRanking } from '../../engine/accounting/usageReport.js';
export type { UsageMeasure, UsageSum } from '../../engine/accounting/usageSum.js';

export interface UsagePeriod extends Period {
  readonly isCurrent: boolean;
  /** Whether there are requests before the shown period. */
  readonly hasEarlier: boolean;
}

export interface UsageFigures extends UsageReport {
  readonly period: UsagePeriod;
  /** The sum of all chats of the period. Null if `total` is this sum, because no chat is selected. */
  readonly allChats: UsageSum | null;
  /** Titles by chat id, for chats with requests in the period and for the filtered chat. Null for a deleted chat. */
  readonly chatTitles: Readonly<Record<string, string | null>>;
  readonly modelNames: Readonly<Record<string, string>>;
}

/** A number of tokens. Null when unknown. */
export type UsageCount = { readonly value: number; readonly isEstimated: boolean } | null;

/** The cost of a request, or why the cost is missing. */
export type UsagePrice =
  | { readonly usd: number; readonly isAtLeast: boolean; readonly isEstimated: boolean }
  | 'unbilled'
  | 'noPrice'
  | 'unknown';

export interface UsageRequest {
  readonly id: string;
  readonly chatId: string;
  /** Title of the chat. Null for a deleted chat, and for a request outside of chats. */
  readonly chat: string | null;
  /** Whether the user can open the request: the log has its record, and the chat is in this workspace, not deleted. */
  readonly opens: boolean;
  /** Whether the request's chat belongs to another workspace. */
  readonly isElsewhere: boolean;
  readonly local: number;
  /** Number of requests in the row. One row combines several requests that are outside of runs. */
  readonly requests: number;
  readonly purpose: string;
  readonly model: string;
  readonly counts: Readonly<Record<'in' | 'cached' | 'written' | 'out', UsageCount>>;
  readonly price: UsagePrice;
}

export interface UsageRequests {
  /** Number of requests that match the filters. */
  readonly count: number;
  readonly rows: readonly UsageRequest[];
}

/** The rate limits of a model, in words. */
export interface UsageQuota {
  /** The id of the provider. Labels need not be unique. */
  readonly provider: string;
  readonly providerLabel: string;
  readonly model: string;
  readonly text: string;
}

const USAGE = {
  query: replaced<UsageQuery>(),
  /** Null until the host has read all chats. */
  figures: replaced<UsageFigures | null>(),
  requests: replaced<UsageRequests | null>(),
  /** The turns of the chat. Null for a period, and until the host has read the chat. */
  turns: replaced<UsageTurns | null>(),
  /** Whether the chat has turns to show: the chat is in this workspace and not deleted. */
  hasTurns: replaced<boolean>(),
  /** The rate limits that providers reported and that still apply. */
  quotas: replaced<readonly UsageQuota[]>(),
  /** The spend limits. Null until the user opens them. */
  limits: replaced<LimitsView | null>(),
  /** Why the host could not read the chats. Null if it could read them. */
  problem: replaced<string | null>(),
};

export type UsageState = StateOf<typeof USAGE>;

export type UsageDelta = DeltaOf<typeof USAGE>;

export const USAGE_STATE: ViewState<UsageState, UsageDelta> = viewState(USAGE);

export type UsageMessage = StateMessage<UsageState, UsageDelta>;

export const USAGE_FORMATS = ['csv', 'json'] as const;
export type UsageFormat = (typeof USAGE_FORMATS)[number];

const usageToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  ...LIMIT_MESSAGES,
  z.strictObject({ type: z.literal('ask'), query: usageQuery }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, attemptId: id }),
  /** Exports all requests that match the filters, even those that the table does not show. */
  z.strictObject({ type: z.literal('exportUsage'), format: z.enum(USAGE_FORMATS) }),
  z.strictObject({ type: z.literal('addPrices') }),
  z.strictObject({ type: z.literal('writeMessage') }),
]);

export type UsageToHost = z.infer<typeof usageToHost>;

/** Parses a message of the *Usage* view. Never throws. */
export function parseUsageToHost(value: unknown): ParseResult<UsageToHost> {
  return parse(usageToHost, value);
}

/** What the view shows when it opens: the current week of all chats of the workspace. */
export const FIRST_QUERY: UsageQuery = {
  asked: 0,
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
  byTurn: false,
  turn: null,
  onlyLosses: false,
};

const PURPOSES: Readonly<Record<string, string>> = {
  reply: 'Reply',
  title: 'Title',
  topic: 'Topic',
  summary: 'Summary',
  keepWarm: 'Keep warm',
  embedding: 'Embeddings',
  count: 'Token count',
  probe: 'Test message',
};

/** The purpose of a request as the table shows it: `Reply`, `Retry`, `Summary, retry`, `Reply, discarded`. */
export function purposeInWords(purpose: string, isRetry: boolean, isDiscarded: boolean): string {
  const name = PURPOSES[purpose] ?? purpose;
  const words = isRetry ? (purpose === 'reply' ? ['Retry'] : [name, 'retry']) : [name];
  return [...words, ...(isDiscarded ? ['discarded'] : [])].join(', ');
}
