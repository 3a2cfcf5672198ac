import { emergencyTruncation } from './emergency.js';
import { cutAtOrBefore, lastCutThatLeaves, type History } from './history.js';
import { messageCountPolicy } from './messageCountPolicy.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';
import { rollingWindowPolicy, withoutSummary } from './rollingWindowPolicy.js';
import type { CompactionSettings } from './settings.js';
import { topicBoundaryPolicy, type TopicBegin } from './topicBoundaryPolicy.js';
import { triggerTokens, type Load } from './triggers.js';

/** What the policy of a chat does now, whether or not it is due. */
export function plannedBy(history: History, settings: CompactionSettings, topic: TopicBegin): Plan {
  switch (settings.policy) {
    case 'topic-boundary':
      return topicBoundaryPolicy(history, inSmallWindow(history, settings), topic);
    case 'rolling-window':
      return rollingWindowPolicy(history, settings, NO_PLAN);
    case 'message-count':
      return messageCountPolicy(history, settings);
    case 'manual':
      return NO_PLAN;
  }
}

/**
 * What makes room for a message that does not fit: the policy's own plan if that is enough, else as much of the conversation
 * as it takes: first all but the last exchange; where that is a loop of tool calls that fills the budget by itself, all but its last
 * round.
 */
export function plannedForRoom(history: History, settings: CompactionSettings, load: Load): Plan {
  const excess = load.historyTokens - (load.budget - load.fixedTokens);
  const own = plannedBy(history, settings, { messageId: null, confidence: 0 });
  const cuts = [lastCutThatLeaves(history, 1), cutAtOrBefore(history, history.messages.length - 1)];
  const rungs = [own, rollingWindowPolicy(history, settings, own), ...cuts.map((cut) => planAt(history, cut, 'summarize'))];
  return rungs.find((plan) => gain(plan) >= excess) ?? rungs.toSorted((a, b) => gain(b) - gain(a))[0] ?? NO_PLAN;
}

/**
 * What is left out when the summary of `failed` failed and the message still does not fit: with a rolling window what that would
 * have replaced, else see `emergencyTruncation`.
 */
export function plannedInEmergency(history: History, settings: CompactionSettings, load: Load, failed: Plan): Plan {
  return settings.policy === 'rolling-window' ? withoutSummary(failed) : emergencyTruncation(history, triggerTokens(settings, load));
}

/** The verbatim window takes at most half of the conversation: in a small context there would be nothing to summarize. */
function inSmallWindow({ tokensBefore }: History, settings: CompactionSettings): CompactionSettings {
  return { ...settings, verbatimTokens: Math.min(settings.verbatimTokens, Math.floor((tokensBefore.at(-1) ?? 0) / 2)) };
}
