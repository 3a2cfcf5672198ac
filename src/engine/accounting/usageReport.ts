import type { PricesOf } from './itemProof.js';
import { addDollars, requestsOf } from '../chat/ledger.js';
import { isIn, partsOf, type Period, type Span } from './periods.js';
import { cacheSaving, USAGE_PARTS, type UsagePart, type UsedAttempt } from './usedAttempt.js';
import { measureOf, NOTHING_USED, sizeOf, sumOf, sumsBy, type UsageMeasure, type UsageSum } from './usageSum.js';

/** Which attempts of a period are looked at; null stands for all of them. */
export interface UsageFilter {
  readonly chatId: string | null;
  /** The key of a model. */
  readonly model: string | null;
  readonly part: UsagePart | null;
  /** The local time at which a part of the period begins. */
  readonly bar: number | null;
}

export interface UsageQuestion {
  readonly period: Period;
  readonly filter: UsageFilter;
  /** What the bars of the chart are divided by. */
  readonly stackBy: 'part' | 'model';
}

/** The sum of a group; the key null stands for all groups that have no line of their own. */
export interface UsageGroup {
  readonly key: string | null;
  readonly sum: UsageSum;
}

/** The largest groups, then the sum of the others. */
export interface UsageRanking {
  readonly measure: UsageMeasure;
  readonly groups: readonly UsageGroup[];
  /** How many groups the last one stands for; 0 when each has its line. */
  readonly others: number;
}

export interface UsageBar extends Span {
  readonly sum: UsageSum;
  /** Of the groups of the legend, without those that are not in the bar. */
  readonly groups: readonly UsageGroup[];
}

/** What the cache saved, in US dollars. */
export interface UsageSaving {
  /** Null when it is known of no attempt. */
  readonly usd: number | null;
  /** Of how many attempts that have a price it is not known. */
  readonly unknown: number;
}

/** The use of a period. Plain JSON. */
export interface UsageReport {
  readonly measure: UsageMeasure;
  readonly total: UsageSum;
  readonly saving: UsageSaving;
  readonly bars: readonly UsageBar[];
  readonly legend: readonly UsageGroup[];
  readonly models: UsageRanking;
  readonly chats: UsageRanking;
  /** Number of attempts that were not billed and are in no sum. */
  readonly unbilled: number;
}

/** Lines of a list. More are no longer compared. */
const MOST_LINES = 5;

/**
 * Adds up the attempts of a period. The total and the chart are those of the chat and the model that are filtered by; the
 * other filters are choices within the chart. Each list has all its lines, whichever of them is filtered by. What nobody
 * billed is in no sum, except where there is nothing else.
 */
export function usageReport(attempts: readonly UsedAttempt[], question: UsageQuestion, pricesOf: PricesOf): UsageReport {
  const { period, filter } = question;
  const shown = attempts.filter(isFiltered({ ...filter, part: null, bar: null }, period));
  const counted = billedFirst(shown);
  const total = sumOf(counted, pricesOf);
  const list = (keyOf: (attempt: UsedAttempt) => string, without: keyof UsageFilter): UsageRanking =>
    ranking(sumsBy(billedFirst(attempts.filter(isFiltered({ ...filter, [without]: null }, period))), keyOf, pricesOf));
  return {
    measure: measureOf(total),
    total,
    saving: savingOf(counted, pricesOf),
    ...chartOf(counted, question, pricesOf),
    models: list(({ model }) => model, 'model'),
    chats: list(({ chatId }) => chatId, 'chatId'),
    unbilled: requestsIn(shown) - requestsIn(counted),
  };
}

/** Whether an attempt passes a filter. */
export function isFiltered({ chatId, model, part, bar }: UsageFilter, period: Period): (attempt: UsedAttempt) => boolean {
  const span = bar === null ? undefined : partsOf(period).find(({ from }) => from === bar);
  return (attempt) =>
    (chatId === null || attempt.chatId === chatId) &&
    (model === null || attempt.model === model) &&
    (part === null || attempt.part === part) &&
    (span === undefined || isIn(attempt.local, span));
}

function billedFirst(attempts: readonly UsedAttempt[]): readonly UsedAttempt[] {
  const billed = attempts.filter(({ row }) => !row.isUnbilled);
  return billed.length === 0 ? attempts : billed;
}

function chartOf(
  attempts: readonly UsedAttempt[],
  { period, stackBy }: UsageQuestion,
  pricesOf: PricesOf,
): Pick<UsageReport, 'bars' | 'legend'> {
  const keyOf = ({ part, model }: UsedAttempt): string => (stackBy === 'part' ? part : model);
  const sums = sumsBy(attempts, keyOf, pricesOf);
  const legend = stackBy === 'part' ? byPart(sums) : ranking(sums).groups;
  const own = new Set(legend.map(({ key }) => key));
  const spans = partsOf(period);
  const inBars = spans.map((): UsedAttempt[] => []);
  for (const attempt of attempts) {
    inBars[spans.findIndex((span) => isIn(attempt.local, span))]?.push(attempt);
  }
  const bars = spans.map((span, at): UsageBar => {
    const inBar = inBars[at] ?? [];
    const groups = sumsBy(inBar, (attempt) => (own.has(keyOf(attempt)) ? keyOf(attempt) : ''), pricesOf);
    return {
      ...span,
      sum: sumOf(inBar, pricesOf),
      groups: legend.flatMap(({ key }) => {
        const sum = groups.get(key ?? '');
        return sum === undefined ? [] : [{ key, sum }];
      }),
    };
  });
  return { bars, legend };
}

function requestsIn(attempts: readonly UsedAttempt[]): number {
  return attempts.reduce((sum, attempt) => sum + requestsOf(attempt.row), 0);
}

/** Parts that many users never have: they have a place where there is something to show. */
const RARE_PARTS: ReadonlySet<UsagePart> = new Set(['embedding', 'count', 'probe']);

function byPart(sums: ReadonlyMap<string, UsageSum>): UsageGroup[] {
  const shown = USAGE_PARTS.filter((key) => sums.has(key) || !RARE_PARTS.has(key));
  return shown.map((key) => ({ key, sum: sums.get(key) ?? NOTHING_USED }));
}

/** Largest first, those of one size by their keys. */
function ranking(sums: ReadonlyMap<string, UsageSum>): UsageRanking {
  const measure = [...sums.values()].some(({ usd }) => usd !== null) ? 'usd' : 'tokens';
  const sorted = [...sums].toSorted(([a, one], [b, other]) => {
    const larger = sizeOf(other, measure) - sizeOf(one, measure);
    const longer = larger === 0 ? other.input - one.input : larger;
    return longer === 0 ? (a < b ? -1 : 1) : longer;
  });
  const most = sorted.length <= MOST_LINES ? MOST_LINES : MOST_LINES - 1;
  const [lines, others] = [sorted.slice(0, most), sorted.slice(most)];
  const groups: UsageGroup[] = lines.map(([key, sum]) => ({ key, sum }));
  const rest = others.map(([, sum]) => sum);
  return { measure, groups: rest.length === 0 ? groups : [...groups, { key: null, sum: together(rest) }], others: rest.length };
}

function together(sums: readonly UsageSum[]): UsageSum {
  return sums.reduce((a, b) => ({
    requests: a.requests + b.requests,
    input: a.input + b.input,
    read: a.read + b.read,
    output: a.output + b.output,
    isEstimated: a.isEstimated || b.isEstimated,
    usd: a.usd === null || b.usd === null ? (a.usd ?? b.usd) : addDollars(a.usd, b.usd),
    unknown: a.unknown + b.unknown,
    noPrice: a.noPrice + b.noPrice,
  }));
}

function savingOf(attempts: readonly UsedAttempt[], pricesOf: PricesOf): UsageSaving {
  let usd: number | null = null;
  let unknown = 0;
  for (const { row } of attempts) {
    const saved = cacheSaving(row, pricesOf);
    if (saved !== null) {
      usd = addDollars(usd ?? 0, saved);
    } else if (row.cost !== null) {
      unknown += 1;
    }
  }
  return { usd, unknown };
}
