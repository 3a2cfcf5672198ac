import { isUnbilled } from '../chat/billedUsage.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';

/** Set if the next request costs far more than usual in this chat. */
export interface UnusualPrice {
  /** Median cost of the chat's turns, in US dollars. */
  readonly median: number;
  /** Cost of the next request, as a multiple of the median. */
  readonly times: number;
}

/** Number of latest turns to use. Older turns are ignored, because turns change during a chat. */
const LATEST = 20;

/** Minimum number of turns for a comparison. The median of fewer turns says little. */
const FEWEST = 3;

/** Multiple of the median above which a price is unusual. An expired cache causes smaller differences. */
const UNUSUAL = 10;

/** Minimum price in US dollars for a warning. */
const LEAST = 0.01;

/**
 * Compares a price in US dollars with the median cost of the chat's latest turns. Null when the price is usual or
 * cannot be compared. Uses only completed turns whose requests all have a known price.
 */
export function unusualPrice(usd: number | null, { attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>): UnusualPrice | null {
  if (usd === null || usd < LEAST) {
    return null;
  }
  const costs = latestCosts([...attempts.values()], runs).toSorted((a, b) => a - b);
  const median = costs[Math.floor((costs.length - 1) / 2)] ?? 0;
  const isUnusual = costs.length >= FEWEST && median > 0 && usd > UNUSUAL * median;
  return isUnusual ? { median, times: usd / median } : null;
}

function latestCosts(attempts: readonly AttemptState[], runs: ChatState['runs']): readonly number[] {
  const byRun = new Map<string, number | null>();
  // Read from the end, because a long chat has thousands of attempts. All attempts of a run are adjacent.
  for (const attempt of attempts.toReversed()) {
    const { purpose, runId } = attempt;
    if (purpose === 'reply' && runId !== null && runs.get(runId)?.status === 'committed') {
      const before = byRun.get(runId);
      const cost = costOf(attempt);
      byRun.set(runId, before === null || cost === null ? null : (before ?? 0) + cost);
    }
    if (byRun.size > LATEST) {
      break;
    }
  }
  return [...byRun.values()].slice(0, LATEST).filter((cost) => cost !== null);
}

/** Returns the cost in US dollars. Null when unknown or a lower bound. Uses a practice model's example prices. */
function costOf(attempt: AttemptState): number | null {
  const cost = attempt.end?.cost ?? null;
  return cost === null ? (isUnbilled(attempt) ? 0 : null) : cost.atLeast ? null : cost.usd;
}
