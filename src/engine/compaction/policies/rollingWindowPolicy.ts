import { cutAtOrBefore, lastCutKeeping, type History } from '../history.js';
import { gain, NO_PLAN, planAt, type Plan } from '../plan.js';
import type { CompactionSettings } from '../settings.js';

/*
 * A ladder of plans. Each leaves fewer tokens than the previous one, and the whole last turn stays on every rung:
 * 1. Summarize all but the last `recentMessages` messages.
 * 2. Keep fewer messages, one by one, down to `leastRecentMessages`.
 * 3. Keep only the last turn.
 * 4. The same with a concise summary, as the last resort.
 */

/** The last resort is a few lines: half of the least summary. */
const CONCISE_SUMMARY_TOKENS = 250;

/** Returns the first plan that frees more than `tried`, which was not enough, or `NO_PLAN`. Begins with `NO_PLAN`. */
export function rollingWindowPolicy(
  history: History,
  settings: Pick<CompactionSettings, 'recentMessages' | 'leastRecentMessages'>,
  tried: Plan,
): Plan {
  return ladder(history, settings).find((plan) => gain(plan) > gain(tried)) ?? NO_PLAN;
}

/** Changes a plan for which the model gave no summary: the same cut, with only the lines that must survive. */
export function withoutSummary(plan: Plan): Plan {
  return plan.case === 'none' ? plan : { ...plan, case: 'truncate' };
}

function ladder(
  history: History,
  { recentMessages, leastRecentMessages }: Pick<CompactionSettings, 'recentMessages' | 'leastRecentMessages'>,
): readonly Plan[] {
  const lastTurn = lastCutKeeping(history, 1);
  const rungs = Math.max(1, recentMessages - leastRecentMessages + 1);
  const stays = Array.from({ length: rungs }, (_, rung) => recentMessages - rung);
  const cuts = stays.map((count) => Math.min(lastTurn, cutAtOrBefore(history, history.messages.length - count)));
  const plans = [...cuts, lastTurn].map((cut) => planAt(history, cut, 'summarize'));
  return [...plans, concise(planAt(history, lastTurn, 'summarize'))];
}

function concise(plan: Plan): Plan {
  return plan.case === 'none' ? plan : { ...plan, summaryTokens: CONCISE_SUMMARY_TOKENS };
}
