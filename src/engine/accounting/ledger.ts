import type { AttemptState, ChatState } from '../chat/fold.js';
import { isUnbilled } from './billedUsage.js';
import type { Figure, UsageTotals } from './usage.js';

/**
 * The ledger: what all attempts of a chat used, discarded branches included. Always folded anew, never stored;
 * `accounting` messages only keep what their writer knew, as an audit trail.
 */
export function ledgerTotals(state: ChatState): UsageTotals {
  return attemptTotals([...state.attempts.values()]);
}

/** The same over any attempts, such as those of several chats. One that still runs counts nowhere yet. */
export function attemptTotals(attempts: readonly AttemptState[]): UsageTotals {
  const ended = attempts.flatMap(({ end }) => (end === null ? [] : [end]));
  const unbilled = attempts.filter(isUnbilled);
  const used = ended.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const sum = (figure: (usage: (typeof used)[number]) => Figure | null): number =>
    used.reduce((total, usage) => total + (figure(usage)?.value ?? 0), 0);
  const costs = ended.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    attempts: ended.length,
    promptTokens: sum((usage) => usage.promptTokens),
    cacheReadInputTokens: sum((usage) => usage.cacheReadInputTokens),
    cacheCreationInputTokens: sum((usage) => usage.cacheCreationInputTokens),
    completionTokens: sum((usage) => usage.completionTokens),
    unknownAttempts: ended.length - costs.length - unbilled.length,
    cost: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0),
  };
}
