import type { AttemptState } from '../chat/slices/attempts.js';
import { isUnbilled } from '../chat/billedUsage.js';
import { spentTotals } from '../chat/ledger.js';
import type { ReplyUsage } from '../model/usage.js';

/** Sums the attempts that led to a reply. A running attempt makes the sum a lower bound. */
export function sumReplyUsage(attempts: readonly AttemptState[]): ReplyUsage {
  const isPretended = attempts.some((attempt) => attempt.isPretended === true);
  const totals = spentTotals(
    attempts.map((attempt) => ({
      usage: attempt.end?.usage ?? null,
      cost: attempt.end?.cost ?? null,
      isUnbilled: attempt.isPretended !== true && isUnbilled(attempt),
    })),
  );
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens, cost, unknownAttempts } = totals;
  return {
    tokens: promptTokens + cacheReadInputTokens + cacheCreationInputTokens + completionTokens,
    usd: cost,
    isAtLeast: unknownAttempts > 0,
    isPretended,
  };
}
