import type { Extent } from './extent.js';
import type { AttemptsState, AttemptState } from './slices/attempts.js';
import type { SideRequestsState } from './slices/sideRequests.js';
import { isUnbilled } from './billedUsage.js';
import type { Cost } from '../model/price.js';
import type { Figure, Usage, UsageTotals } from '../model/usage.js';

/**
 * Returns the usage of all attempts of a chat, including discarded branches and requests outside runs. These totals are
 * always computed, never stored. The totals in `accounting` messages may be outdated.
 */
export function ledgerTotals(state: AttemptsState & SideRequestsState & Extent): UsageTotals {
  const here = addTotals(attemptTotals(state.attempts.values()), spentTotals(state.sideRequests.values()));
  return state.extent === 'end' ? addTotals(state.earlier.totals, here) : here;
}

/** Adds the totals of two disjoint sets of attempts. */
export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    attempts: a.attempts + b.attempts,
    promptTokens: a.promptTokens + b.promptTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    unknownAttempts: a.unknownAttempts + b.unknownAttempts,
    cost: a.cost === null || b.cost === null ? (a.cost ?? b.cost) : addDollars(a.cost, b.cost),
  };
}

export interface UsageEntry {
  readonly usage: Usage | null;
  /** The cost at the prices that applied when the request was made. Null when unknown. */
  readonly cost: Cost | null;
  readonly isUnbilled: boolean;
  /** Number of requests in this entry. Missing for a single request. */
  readonly requests?: number;
}

/** Returns the usage of an attempt. Null for a running attempt, and for an attempt that a fork copied. */
export function spentBy(attempt: AttemptState): UsageEntry | null {
  const { inheritedFrom, end } = attempt;
  return inheritedFrom !== null || end === null ? null : { usage: end.usage, cost: end.cost, isUnbilled: isUnbilled(attempt) };
}

/** Like `ledgerTotals`, but for any attempts, for example of several chats. */
export function attemptTotals(attempts: Iterable<AttemptState>): UsageTotals {
  return spentTotals(spentByEach(attempts));
}

export function spentTotals(all: Iterable<UsageEntry>): UsageTotals {
  const tokens = { promptTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, completionTokens: 0 };
  const sum = { attempts: 0, ...tokens, unknownAttempts: 0 };
  let dollars: number | null = null;
  // A single pass, because a long chat has tens of thousands of attempts and the loop blocks the thread.
  for (const each of all) {
    const { usage, cost, isUnbilled: isFree } = each;
    const requests = requestsOf(each);
    sum.attempts += requests;
    sum.promptTokens += valueOf(usage?.promptTokens);
    sum.cacheReadInputTokens += valueOf(usage?.cacheReadInputTokens);
    sum.cacheCreationInputTokens += valueOf(usage?.cacheCreationInputTokens);
    sum.completionTokens += valueOf(usage?.completionTokens);
    if (isFree) {
      continue;
    }
    sum.unknownAttempts += cost === null || cost.atLeast ? requests : 0;
    dollars = cost === null ? dollars : addDollars(dollars ?? 0, cost.usd);
  }
  return { ...sum, cost: dollars };
}

function* spentByEach(attempts: Iterable<AttemptState>): Generator<UsageEntry> {
  for (const attempt of attempts) {
    const spent = spentBy(attempt);
    if (spent !== null) {
      yield spent;
    }
  }
}

export function requestsOf({ requests }: Pick<UsageEntry, 'requests'>): number {
  return requests ?? 1;
}

/** Returns the value of a figure for a sum. Unknown figures are added as 0. */
export function valueOf(figure: Figure | null | undefined): number {
  return figure?.value ?? 0;
}

/** Sums are rounded to 1 / `PER_DOLLAR` dollars, far less than the price of a token, and are exact up to $9,000. */
const PER_DOLLAR = 1e12;

/** Adds two amounts of dollars. Rounds, so that the order of additions does not change the sum. */
export function addDollars(a: number, b: number): number {
  return (Math.round(a * PER_DOLLAR) + Math.round(b * PER_DOLLAR)) / PER_DOLLAR;
}
