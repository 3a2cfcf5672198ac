import type { PricesOf } from './itemProof.js';
import { addDollars, requestsOf, valueOf } from '../chat/ledger.js';
import type { Usage } from '../model/usage.js';
import { attemptPrice, type UsedAttempt } from './usedAttempt.js';

/** The usage of several attempts together. Unknown figures are not included. Plain JSON. */
export interface UsageSum {
  readonly requests: number;
  /** Tokens of the whole input. */
  readonly input: number;
  /** The part of `input` that was read from the cache. */
  readonly read: number;
  readonly output: number;
  /** Whether a token figure, and so the price, is an estimate. */
  readonly isEstimated: boolean;
  /** US dollars; null when no attempt has a known cost. */
  readonly usd: number | null;
  /** Number of requests whose cost is unknown, in whole or in part. If there are any, the price is a lower bound. */
  readonly unknown: number;
  /** Number of requests without a cost because their model had no price. */
  readonly noPrice: number;
}

/** What a chart measures: US dollars, or tokens when nothing has a price. */
export type UsageMeasure = 'usd' | 'tokens';

export const NOTHING_USED: UsageSum = {
  requests: 0,
  input: 0,
  read: 0,
  output: 0,
  isEstimated: false,
  usd: null,
  unknown: 0,
  noPrice: 0,
};

/** An attempt with the usage that sums add up. */
export type SummedAttempt = Pick<UsedAttempt, 'row'>;

export function sumOf(attempts: Iterable<SummedAttempt>, pricesOf: PricesOf): UsageSum {
  return sumsBy(attempts, () => '', pricesOf).get('') ?? NOTHING_USED;
}

/** Returns the sums of groups of attempts, in the order of each group's first attempt. */
export function sumsBy<Attempt extends SummedAttempt>(
  attempts: Iterable<Attempt>,
  keyOf: (attempt: Attempt) => string,
  pricesOf: PricesOf,
): ReadonlyMap<string, UsageSum> {
  const sums = new Map<string, Sum>();
  // Sums change in place for speed: a year has tens of thousands of attempts, and this loop blocks the thread.
  for (const attempt of attempts) {
    const key = keyOf(attempt);
    const known = sums.get(key);
    const sum = known ?? { ...NOTHING_USED };
    if (known === undefined) {
      sums.set(key, sum);
    }
    sum.requests += requestsOf(attempt.row);
    addTokens(sum, attempt.row.usage);
    addPrice(sum, attempt, pricesOf);
  }
  return sums;
}

export function measureOf({ usd }: UsageSum): UsageMeasure {
  return usd === null ? 'tokens' : 'usd';
}

/** Returns the length of a sum's bar, in US dollars or tokens. */
export function sizeOf({ usd, input, output }: UsageSum, measure: UsageMeasure): number {
  return measure === 'usd' ? (usd ?? 0) : input + output;
}

type Sum = { -readonly [K in keyof UsageSum]: UsageSum[K] };

function addTokens(sum: Sum, usage: Usage | null): void {
  if (usage === null) {
    return;
  }
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  sum.input += valueOf(promptTokens) + valueOf(cacheReadInputTokens) + valueOf(cacheCreationInputTokens);
  sum.read += valueOf(cacheReadInputTokens);
  sum.output += valueOf(completionTokens);
  sum.isEstimated ||= isEstimated(usage);
}

function addPrice(sum: Sum, attempt: SummedAttempt, pricesOf: PricesOf): void {
  const price = attemptPrice(attempt.row, pricesOf);
  const requests = requestsOf(attempt.row);
  if (price === 'noPrice') {
    sum.noPrice += requests;
  } else if (price === 'unknown') {
    sum.unknown += requests;
  } else if (price !== 'unbilled') {
    sum.usd = addDollars(sum.usd ?? 0, price.usd);
    sum.unknown += price.atLeast ? requests : 0;
  }
}

/** Whether at least one figure of a usage is Loupe's count instead of the provider's report. */
export function isEstimated({ promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens }: Usage): boolean {
  return (
    promptTokens?.source === 'estimated' ||
    cacheReadInputTokens?.source === 'estimated' ||
    cacheCreationInputTokens?.source === 'estimated' ||
    completionTokens?.source === 'estimated'
  );
}
