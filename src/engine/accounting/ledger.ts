import type { Extent } from '../chat/extent.js';
import type { AttemptsState, AttemptState } from '../chat/slices/attempts.js';
import { isUnbilled } from './billedUsage.js';
import type { Cost } from './price.js';
import type { Figure, Usage, UsageTotals } from './usage.js';

/**
 * The ledger: what all attempts of a chat used, discarded branches included. Always folded anew, never stored;
 * `accounting` messages only keep what their writer knew, as an audit trail.
 */
export function ledgerTotals(state: AttemptsState & Extent): UsageTotals {
  const here = attemptTotals(state.attempts.values());
  return state.extent === 'end' ? addTotals(state.earlier.totals, here) : here;
}

/** The totals of two sets of attempts that have none in common. */
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

/** What came of an attempt, as far as sums go. */
export interface Spent {
  readonly usage: Usage | null;
  /** At the prices of the time; null when it is unknown. */
  readonly cost: Cost | null;
  /** No provider bills it: see `isUnbilled`. */
  readonly isUnbilled: boolean;
}

/** Null for one that still runs, which counts nowhere yet, and for one that was inherited, which counts in the chat that made it. */
export function spentBy(attempt: AttemptState): Spent | null {
  const { inheritedFrom, end } = attempt;
  return inheritedFrom !== null || end === null ? null : { usage: end.usage, cost: end.cost, isUnbilled: isUnbilled(attempt) };
}

/** The same as `ledgerTotals` over any attempts, such as those of several chats. */
export function attemptTotals(attempts: Iterable<AttemptState>): UsageTotals {
  return spentTotals(spentByEach(attempts));
}

/** The totals of what several attempts used. */
export function spentTotals(all: Iterable<Spent>): UsageTotals {
  const tokens = { promptTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, completionTokens: 0 };
  const sum = { attempts: 0, ...tokens, unknownAttempts: 0 };
  let dollars: number | null = null;
  // One pass: a long chat has tens of thousands of attempts, and this is done while others wait.
  for (const { usage, cost, isUnbilled: isFree } of all) {
    sum.attempts += 1;
    sum.promptTokens += valueOf(usage?.promptTokens);
    sum.cacheReadInputTokens += valueOf(usage?.cacheReadInputTokens);
    sum.cacheCreationInputTokens += valueOf(usage?.cacheCreationInputTokens);
    sum.completionTokens += valueOf(usage?.completionTokens);
    if (cost !== null) {
      dollars = addDollars(dollars ?? 0, cost.usd);
    } else if (!isFree) {
      sum.unknownAttempts += 1;
    }
  }
  return { ...sum, cost: dollars };
}

function* spentByEach(attempts: Iterable<AttemptState>): Generator<Spent> {
  for (const attempt of attempts) {
    const spent = spentBy(attempt);
    if (spent !== null) {
      yield spent;
    }
  }
}

function valueOf(figure: Figure | null | undefined): number {
  return figure?.value ?? 0;
}

/** Far below the price of one token, and whole numbers of it stay exact up to nine thousand dollars. */
const PER_DOLLAR = 1e12;

/** A sum that is the same in whatever order its parts are added: the parts of a log are summed apart. */
function addDollars(a: number, b: number): number {
  return (Math.round(a * PER_DOLLAR) + Math.round(b * PER_DOLLAR)) / PER_DOLLAR;
}
