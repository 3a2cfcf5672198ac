import { cutAtOrBefore, lastCutThatLeaves, type History } from '../history.js';
import { planAt, type Plan } from '../plan.js';
import type { CompactionSettings } from '../settings.js';

/** Messages that stay: few enough that the next compaction is far, enough to go on working. */
const LEAST_LEFT = 20;
const MOST_LEFT = 30;

/**
 * Summarizes all but the last 20 to 30 messages. The cut is before the last user message that leaves so many; without one,
 * between two turn rounds. More stay where tool results or the least number of exchanges want it. A summary of few tokens
 * counts as well: this policy is about the number of messages.
 */
export function messageCountPolicy(history: History, { leastExchanges }: Pick<CompactionSettings, 'leastExchanges'>): Plan {
  const { length } = history.messages;
  const exchange = history.exchanges.findLast((place) => length - place >= LEAST_LEFT && length - place <= MOST_LEFT);
  const cut = exchange ?? cutAtOrBefore(history, length - LEAST_LEFT);
  return planAt(history, Math.min(cut, lastCutThatLeaves(history, leastExchanges)), 'summarize');
}
