import { requestsOf } from '../../engine/chat/ledger.js';
import { periodAt, type Period } from '../../engine/accounting/periods.js';
import { figureValue, inputTokens, type Figure, type Usage as TokenUsage } from '../../engine/model/usage.js';
import {
  attemptPrice,
  attemptsIn,
  distinctAttempts,
  NO_CHAT,
  type ChatAttempts,
  type LocalTime,
  type UsedAttempt,
} from '../../engine/accounting/usedAttempt.js';
import { makeUsageFilter, usageOfAllChats, usageReport } from '../../engine/accounting/usageReport.js';
import { isEstimated } from '../../engine/accounting/usageSum.js';
import { attemptsNamed, sortedAttempts, type UsageTablePorts } from '../../engine/accounting/usageTable.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import type { PricesOf } from '../../engine/accounting/itemProof.js';
import {
  purposeInWords,
  type UsageCount,
  type UsageFigures,
  type UsagePrice,
  type UsageQuery,
  type UsageRequest,
  type UsageRequests,
} from '../../protocol/usage/usage.js';

export interface UsageSource {
  readonly chats: readonly ChatAttempts[];
  /** The titles of chats, by chat id. Deleted chats have no title. */
  readonly titles: ReadonlyMap<string, string>;
  /** Whether a chat belongs to this workspace and is not deleted. */
  readonly isHere: (chatId: string) => boolean;
  readonly now: () => number;
  readonly localTime: LocalTime;
  readonly pricesOf: PricesOf;
  readonly labelOf: (model: ModelRef) => string;
}

export function currentPeriod({ unit, from }: UsageQuery, { localTime, now }: UsageSource): Period {
  return periodAt(unit, from ?? localTime(now()));
}

/** Returns the start of the latest period with usage, of one chat or of all. Null for the current and without usage. */
export function latestPeriod({ unit, chatId }: UsageQuery, { chats, localTime, now }: UsageSource): number | null {
  const rows = chats.flatMap((chat) => (chatId === null || chat.chatId === chatId ? chat.rows : []));
  const latest = rows.reduce((last, { at }) => Math.max(last, at), -Infinity);
  const { from } = periodAt(unit, localTime(Number.isFinite(latest) ? latest : now()));
  return from === periodAt(unit, localTime(now())).from ? null : from;
}

/** Returns the attempts of a period, or of all time for null. Without `chatId`, counts an attempt of two chats once. */
export function usedAttempts({ chatId }: UsageQuery, period: Period | null, { chats, localTime }: UsageSource): UsedAttempt[] {
  return attemptsIn(chatId === null ? distinctAttempts(chats) : chats, period, localTime);
}

export function usageFigures(query: UsageQuery, attempts: readonly UsedAttempt[], usage: UsageSource): UsageFigures {
  const period = currentPeriod(query, usage);
  const report = usageReport(attempts, { period, filter: query, stackBy: query.stackBy }, usage.pricesOf);
  const current = periodAt(period.unit, usage.localTime(usage.now()));
  const models = new Map(attempts.map(({ model, row }) => [model, row.model]));
  const chatIds = new Set([...attempts.map(({ chatId }) => chatId), ...(query.chatId === null ? [] : [query.chatId])]);
  const titles = [...usage.titles].filter(([id]) => chatIds.has(id));
  const deleted = [...chatIds].filter((id) => !usage.titles.has(id)).map((id) => [id, null] as const);
  return {
    ...report,
    allChats:
      query.chatId === null
        ? null
        : usageOfAllChats(usedAttempts({ ...query, chatId: null }, period, usage), { period, filter: query }, usage.pricesOf),
    period: { ...period, isCurrent: period.from === current.from, hasEarlier: hasEarlier(period, usage) },
    chatTitles: Object.fromEntries([...titles, ...deleted]),
    modelNames: Object.fromEntries([...models].map(([key, model]) => [key, usage.labelOf(model)])),
  };
}

function hasEarlier({ from }: Period, { chats, localTime }: UsageSource): boolean {
  const earliest = chats.reduce((first, { rows }) => rows.reduce((least, { at }) => Math.min(least, at), first), Infinity);
  return Number.isFinite(earliest) && localTime(earliest) < from;
}

/** Returns the attempts that match all filters of a query, sorted as in the query. */
export function filteredAttempts(query: UsageQuery, attempts: readonly UsedAttempt[], usage: UsageSource): UsedAttempt[] {
  const ports = tablePorts(usage);
  const filtered = attempts.filter(makeUsageFilter(query, currentPeriod(query, usage)));
  return sortedAttempts(attemptsNamed(filtered, query.text, ports), query.sort, ports);
}

export function usageRequests(query: UsageQuery, attempts: readonly UsedAttempt[], usage: UsageSource): UsageRequests {
  const filtered = filteredAttempts(query, attempts, usage);
  return { count: filtered.length, rows: filtered.slice(0, query.most).map((attempt) => requestOf(attempt, usage)) };
}

/** The name of deleted chats in the table. The text filter finds deleted chats by this name. */
const DELETED_CHAT = 'a deleted chat';

function tablePorts({ titles, pricesOf, labelOf }: UsageSource): UsageTablePorts {
  return {
    pricesOf,
    namesOf: ({ chatId, row }) => ({
      purpose: purposeInWords(row.purpose, row.isRetry === true, row.isDiscarded),
      chat: titles.get(chatId) ?? DELETED_CHAT,
      model: labelOf(row.model),
    }),
  };
}

function requestOf({ chatId, row, local }: UsedAttempt, { titles, isHere, pricesOf, labelOf }: UsageSource): UsageRequest {
  const { id, usage, purpose, isRetry, isDiscarded, model } = row;
  return {
    id,
    chatId,
    chat: titles.get(chatId) ?? null,
    opens: isHere(chatId) && hasRecord(row),
    isElsewhere: chatId !== NO_CHAT && titles.has(chatId) && !isHere(chatId),
    local,
    requests: requestsOf(row),
    purpose: purposeInWords(purpose, isRetry === true, isDiscarded),
    model: labelOf(model),
    counts: {
      in: wholeInput(usage),
      cached: count(usage?.cacheReadInputTokens),
      written: count(usage?.cacheCreationInputTokens),
      out: count(usage?.completionTokens),
    },
    price: priceOf(row, pricesOf),
  };
}

/** Whether a request has a record. Embeddings, token counts and probes are logged only as sums. */
function hasRecord({ purpose }: UsedAttempt['row']): boolean {
  return purpose !== 'embedding' && purpose !== 'count' && purpose !== 'probe';
}

function priceOf(row: UsedAttempt['row'], pricesOf: PricesOf): UsagePrice {
  const price = attemptPrice(row, pricesOf);
  return typeof price === 'string'
    ? price
    : { usd: price.usd, isAtLeast: price.atLeast, isEstimated: row.usage !== null && isEstimated(row.usage) };
}

function wholeInput(usage: TokenUsage | null): UsageCount {
  const value = usage === null ? null : inputTokens(usage);
  return usage === null || value === null ? null : { value, isEstimated: isEstimated({ ...usage, completionTokens: null }) };
}

function count(figure: Figure | null | undefined): UsageCount {
  const value = figureValue(figure ?? null);
  return value === null ? null : { value, isEstimated: figure?.source === 'estimated' };
}
