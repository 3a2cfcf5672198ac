import { cutAtOrBefore, lastCutKeeping, type History } from '../history.js';
import { planAt, type Plan } from '../plan.js';
import type { CompactionSettings } from '../settings.js';

/** Messages that stay: few enough to delay the next compaction, enough to continue the work. */
const LEAST_LEFT = 20;
const MOST_LEFT = 30;

/**
 * Summarizes all but the last 20 to 30 messages; more stay for tool results or for the least number of turns. Cuts
 * before a user message, or else between two steps. Even a small gain counts, because this policy counts messages.
 */
export function messageCountPolicy(history: History, { leastExchanges }: Pick<CompactionSettings, 'leastExchanges'>): Plan {
  const { length } = history.messages;
  const turn = history.turns.findLast((place) => length - place >= LEAST_LEFT && length - place <= MOST_LEFT);
  const cut = turn ?? cutAtOrBefore(history, length - LEAST_LEFT);
  return planAt(history, Math.min(cut, lastCutKeeping(history, leastExchanges)), 'summarize');
}
