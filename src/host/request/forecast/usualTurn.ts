import { isUnbilled } from '../../../engine/chat/billedUsage.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { UnusualPrice } from '../../../protocol/panel/nextRequest.js';

/** Turns looked back on: a chat's turns change as it goes on. */
const LATEST = 20;

/** A median of fewer turns says little of the next one. */
const FEWEST = 3;

/** So many times the median is unusual: prices within a chat differ by a few times, as by an expired cache. */
const UNUSUAL = 10;

/** In US dollars: no warning below a cent. */
const LEAST = 0.01;

/**
 * How a request of this price in US dollars compares with what the turns of a chat have cost; null where that is usual or not known.
 * Turns are those that came to their end with a known price of each of their requests.
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
  // From the end: a long chat has thousands. One run answers at a time, so the attempts of each are together.
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

/** In US dollars. A practice model costs what is shown for it. Null when unknown, also where it may have been more. */
function costOf(attempt: AttemptState): number | null {
  const cost = attempt.end?.cost ?? null;
  return cost === null ? (isUnbilled(attempt) ? 0 : null) : cost.atLeast ? null : cost.usd;
}
