import type { AttemptState, AttemptsState } from '../chat/slices/attempts.js';
import type { RunsState } from '../chat/slices/runs.js';
import { isUnbilled } from '../chat/billedUsage.js';
import { spentTotals } from '../chat/ledger.js';
import type { ReplyUsage } from '../model/usage.js';

type State = RunsState & AttemptsState;

export function attemptsOfRuns(runIds: readonly string[], { runs, attempts }: State): readonly AttemptState[] {
  return runIds.flatMap((runId) => runs.get(runId)?.attemptIds ?? []).flatMap((id) => attempts.get(id) ?? []);
}

/** Whether `costOfRun` includes an attempt: attempts with example prices are included, rejected requests are not. */
export function isCounted(attempt: AttemptState): boolean {
  return attempt.isPretended === true || !isUnbilled(attempt);
}

/** Returns the cost of a run in US dollars. Null for an unknown run, and when no cost or only a part of it is known. */
export function costOfRun(runId: string | null, state: State): number | null {
  const counted = attemptsOfRuns(runId === null ? [] : [runId], state).filter(isCounted);
  const costs = counted.map(({ end }) => end?.cost?.usd ?? null);
  return costs.length === 0 || costs.includes(null) ? null : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0);
}

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
