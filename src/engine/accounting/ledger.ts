import type { Extent } from '../chat/extent.js';
import type { AttemptsState, AttemptState } from '../chat/slices/attempts.js';
import { isUnbilled } from './billedUsage.js';
import type { Figure, UsageTotals } from './usage.js';

/**
 * The ledger: what all attempts of a chat used, discarded branches included. Always folded anew, never stored;
 * `accounting` messages only keep what their writer knew, as an audit trail.
 */
export function ledgerTotals(state: AttemptsState & Extent): UsageTotals {
  const here = attemptTotals([...state.attempts.values()]);
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

/**
 * The same over any attempts, such as those of several chats. One that still runs counts nowhere yet, and one that was
 * inherited counts in the chat that made it.
 */
export function attemptTotals(all: readonly AttemptState[]): UsageTotals {
  const attempts = all.filter(({ inheritedFrom }) => inheritedFrom === null);
  const ended = attempts.flatMap(({ end }) => (end === null ? [] : [end]));
  const unbilled = attempts.filter(isUnbilled);
  const used = ended.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const sum = (figure: (usage: (typeof used)[number]) => Figure | null): number =>
    used.reduce((total, usage) => total + (figure(usage)?.value ?? 0), 0);
  const costs = ended.flatMap(({ cost }) => (cost === null ? [] : [cost.usd]));
  return {
    attempts: ended.length,
    promptTokens: sum((usage) => usage.promptTokens),
    cacheReadInputTokens: sum((usage) => usage.cacheReadInputTokens),
    cacheCreationInputTokens: sum((usage) => usage.cacheCreationInputTokens),
    completionTokens: sum((usage) => usage.completionTokens),
    unknownAttempts: ended.length - costs.length - unbilled.length,
    cost: costs.length === 0 ? null : costs.reduce(addDollars, 0),
  };
}

/** Far below the price of one token, and whole numbers of it stay exact up to nine thousand dollars. */
const PER_DOLLAR = 1e12;

/** A sum that is the same in whatever order its parts are added: the parts of a log are summed apart. */
function addDollars(a: number, b: number): number {
  return (Math.round(a * PER_DOLLAR) + Math.round(b * PER_DOLLAR)) / PER_DOLLAR;
}
