import { historyTokens, type History } from './history.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';

/** A conversation may be so many times as long as its trigger before it is cut without a summary. */
const FACTOR = 2;

/**
 * The safety net for a compaction that failed: drops the oldest exchanges of a conversation of more than twice `trigger`
 * tokens, as few as bring it to `trigger` with the lines that stand in their place. The last exchange stays, and so do pinned
 * messages.
 */
export function emergencyTruncation(history: History, trigger: number): Plan {
  const tokens = historyTokens(history);
  if (tokens <= FACTOR * trigger) {
    return NO_PLAN;
  }
  const enough = history.exchanges.find((place) => tokens - gain(planAt(history, place, 'truncate')) <= trigger);
  return planAt(history, enough ?? history.exchanges.at(-1) ?? 0, 'truncate');
}
