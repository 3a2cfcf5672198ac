import type { PricesOf } from './itemProof.js';
import { addDollars, requestsOf } from '../chat/ledger.js';
import { isIn, partsOf, type Period, type LocalSpan } from './periods.js';
import { cacheSaving, USAGE_PARTS, type UsagePart, type UsedAttempt } from './usedAttempt.js';
import { measureOf, NOTHING_USED, sizeOf, sumOf, sumsBy, type SummedAttempt, type UsageMeasure, type UsageSum } from './usageSum.js';

/** Which attempts of a period to show; null means all. */
export interface UsageFilter {
  readonly chatId: string | null;
  /** Key of a model (`provider/model`). */
  readonly model: string | null;
  readonly part: UsagePart | null;
  /** The local time at which a bar begins. */
  readonly bar: number | null;
}

export interface UsageQuestion {
  readonly period: Period;
  readonly filter: UsageFilter;
  readonly stackBy: 'part' | 'model';
}

/** The sum of a group. In a ranking, the group with the key null sums up all groups that have no line. */
export interface UsageGroup {
  readonly key: string | null;
  readonly sum: UsageSum;
}

/** The largest groups, then one line with the sum of all other groups. */
export interface UsageRanking {
  readonly measure: UsageMeasure;
  readonly groups: readonly UsageGroup[];
  /** How many groups the last line sums up; 0 when the ranking has a line for each group. */
  readonly others: number;
}

export interface UsageBar extends LocalSpan {
  readonly sum: UsageSum;
  /** The groups of the legend that have usage in the bar. */
  readonly groups: readonly UsageGroup[];
}

export interface UsageSaving {
  /** The saved US dollars; null when the saving is unknown for every attempt. */
  readonly usd: number | null;
  /** Number of attempts with a known cost but an unknown saving. */
  readonly unknown: number;
}

/** The usage of a period. Plain JSON. */
export interface UsageReport {
  readonly measure: UsageMeasure;
  readonly total: UsageSum;
  readonly saving: UsageSaving;
  readonly bars: readonly UsageBar[];
  readonly legend: readonly UsageGroup[];
  readonly models: UsageRanking;
  readonly chats: UsageRanking;
  /** Number of unbilled requests that no sum includes. 0 if all are unbilled, because sums then include them. */
  readonly unbilled: number;
}

/** Maximum number of lines in a ranking. More lines are hard to compare. */
const MOST_LINES = 5;

/**
 * Sums the attempts of a period. The filters for chat and model change the total and the chart; the filters for part
 * and bar do not. The list of models ignores the filter for the model. The list of chats ignores the filter for the
 * chat. So each list keeps all its lines. Unbilled attempts are in no sum, unless all attempts are unbilled.
 */
export function usageReport(attempts: readonly UsedAttempt[], question: UsageQuestion, pricesOf: PricesOf): UsageReport {
  const { period, filter } = question;
  const shown = attempts.filter(makeUsageFilter({ ...filter, part: null, bar: null }, period));
  const counted = billedFirst(shown);
  const chart = chartOf(counted, question, pricesOf);
  const list = (keyOf: (attempt: UsedAttempt) => string, without: keyof UsageFilter): UsageRanking =>
    ranking(sumsBy(billedFirst(attempts.filter(makeUsageFilter({ ...filter, [without]: null }, period))), keyOf, pricesOf));
  return {
    measure: measureOf(chart.total),
    ...chart,
    saving: savingOf(counted, pricesOf),
    models: list(({ model }) => model, 'model'),
    chats: list(({ chatId }) => chatId, 'chatId'),
    unbilled: requestsIn(shown) - requestsIn(counted),
  };
}

/** Returns the sum of a period, with the filter for the model only. Unbilled attempts as in `usageReport`. */
export function usageOfAllChats(
  attempts: readonly UsedAttempt[],
  { period, filter: { model } }: Pick<UsageQuestion, 'period' | 'filter'>,
  pricesOf: PricesOf,
): UsageSum {
  return sumOf(billedFirst(attempts.filter(makeUsageFilter({ chatId: null, model, part: null, bar: null }, period))), pricesOf);
}

export function makeUsageFilter({ chatId, model, part, bar }: UsageFilter, period: Period): (attempt: UsedAttempt) => boolean {
  const span = bar === null ? undefined : partsOf(period).find(({ from }) => from === bar);
  return (attempt) =>
    (chatId === null || attempt.chatId === chatId) &&
    (model === null || attempt.model === model) &&
    (part === null || attempt.part === part) &&
    (span === undefined || isIn(attempt.local, span));
}

/** Returns the billed attempts, or all attempts if no attempt is billed. */
export function billedFirst<Attempt extends SummedAttempt>(attempts: readonly Attempt[]): readonly Attempt[] {
  const billed = attempts.filter(({ row }) => !row.isUnbilled);
  return billed.length === 0 ? attempts : billed;
}

function chartOf(
  attempts: readonly UsedAttempt[],
  { period, stackBy }: UsageQuestion,
  pricesOf: PricesOf,
): Pick<UsageReport, 'total' | 'bars' | 'legend'> {
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
      sum: addSums([...groups.values()]),
      groups: legend.flatMap(({ key }) => {
        const sum = groups.get(key ?? '');
        return sum === undefined ? [] : [{ key, sum }];
      }),
    };
  });
  return { total: addSums([...sums.values()]), bars, legend };
}

function requestsIn(attempts: readonly UsedAttempt[]): number {
  return attempts.reduce((sum, attempt) => sum + requestsOf(attempt.row), 0);
}

/** Parts that many users never use. The legend lists a part of this set only if it has usage. */
const RARE_PARTS: ReadonlySet<UsagePart> = new Set(['keepWarm', 'embedding', 'count', 'probe']);

function byPart(sums: ReadonlyMap<string, UsageSum>): UsageGroup[] {
  const shown = USAGE_PARTS.filter((key) => sums.has(key) || !RARE_PARTS.has(key));
  return shown.map((key) => ({ key, sum: sums.get(key) ?? NOTHING_USED }));
}

/** Returns the largest groups first, then the sum of all others. Sorts equal groups by input, then by key. */
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
  return { measure, groups: rest.length === 0 ? groups : [...groups, { key: null, sum: addSums(rest) }], others: rest.length };
}

function addSums(sums: readonly UsageSum[]): UsageSum {
  return sums.reduce(
    (a, b) => ({
      requests: a.requests + b.requests,
      input: a.input + b.input,
      read: a.read + b.read,
      output: a.output + b.output,
      isEstimated: a.isEstimated || b.isEstimated,
      usd: a.usd === null || b.usd === null ? (a.usd ?? b.usd) : addDollars(a.usd, b.usd),
      unknown: a.unknown + b.unknown,
      noPrice: a.noPrice + b.noPrice,
    }),
    NOTHING_USED,
  );
}

export function savingOf(attempts: readonly SummedAttempt[], pricesOf: PricesOf): UsageSaving {
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
