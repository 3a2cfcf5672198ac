import { LEAST_NOTE, truncationForRoom } from '../emergency.js';
import { cutAtOrBefore, lastCutThatLeaves, type History } from '../history.js';
import { messageCountPolicy } from './messageCountPolicy.js';
import { gain, NO_PLAN, planAt, type Plan } from '../plan.js';
import { rollingWindowPolicy, withoutSummary } from './rollingWindowPolicy.js';
import type { CompactionSettings } from '../settings.js';
import { topicBoundaryPolicy, type TopicBegin } from './topicBoundaryPolicy.js';
import type { Load } from './triggers.js';

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
 * round. `NO_PLAN` when the message fits already, and when no summary can make it fit. `freed` are the tokens of the summary in use, which
 * any plan frees as well.
 */
export function plannedForRoom(history: History, settings: CompactionSettings, load: Load, freed: number): Plan {
  const { excess } = lackOf(load);
  if (excess <= 0) {
    return NO_PLAN;
  }
  const own = plannedBy(history, settings, { messageId: null, confidence: 0 });
  const cuts = [lastCutThatLeaves(history, 1), cutAtOrBefore(history, history.messages.length - 1)];
  const rungs = [own, rollingWindowPolicy(history, settings, own), ...cuts.map((cut) => planAt(history, cut, 'summarize'))];
  const plan = rungs.find((each) => gain(each) >= excess) ?? rungs.toSorted((a, b) => gain(b) - gain(a))[0] ?? NO_PLAN;
  return plan.case !== 'none' && plan.tokens + freed - LEAST_NOTE >= excess ? plan : NO_PLAN;
}

/**
 * Plans what to drop when no summary makes room: with a rolling window the messages that it would summarize, if that is enough, else
 * `truncationForRoom`. `freed` as above. `NO_PLAN` when the message fits already, and when dropping cannot make it fit.
 */
export function plannedWithoutSummary(history: History, settings: CompactionSettings, load: Load, freed: number): Plan {
  const { room, excess } = lackOf(load);
  if (excess <= 0) {
    return NO_PLAN;
  }
  const own = settings.policy === 'rolling-window' ? withoutSummary(plannedForRoom(history, settings, load, freed)) : NO_PLAN;
  return gain(own) >= excess ? own : truncationForRoom(history, { room, excess: excess - freed });
}

/** Returns the tokens that a conversation may have (`room`), and how many it has too many (`excess`). */
function lackOf({ budget, fixedTokens, historyTokens }: Load): { readonly room: number; readonly excess: number } {
  const room = Math.max(0, budget - fixedTokens);
  return { room, excess: historyTokens - (budget - fixedTokens) };
}

/** The verbatim window takes at most half of the conversation: in a small context there would be nothing to summarize. */
function inSmallWindow({ tokensBefore }: History, settings: CompactionSettings): CompactionSettings {
  return { ...settings, verbatimTokens: Math.min(settings.verbatimTokens, Math.floor((tokensBefore.at(-1) ?? 0) / 2)) };
}
