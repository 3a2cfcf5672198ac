import { LEAST_NOTE, truncationForRoom } from '../emergency.js';
import { cutAtOrBefore, lastCutKeeping, type History } from '../history.js';
import { messageCountPolicy } from './messageCountPolicy.js';
import { gain, NO_PLAN, planAt, type Plan } from '../plan.js';
import { rollingWindowPolicy, withoutSummary } from './rollingWindowPolicy.js';
import type { CompactionSettings } from '../settings.js';
import { topicBoundaryPolicy, type TopicBegin } from './topicBoundaryPolicy.js';
import type { Load } from './triggers.js';

/** Returns the plan of the policy now, whether or not its trigger is reached. */
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
 * Plans room for a message that does not fit: the policy's own plan if it is enough, otherwise as much as necessary.
 * That may be all but the last turn, or, in a tool loop that fills the budget, all but its last step. `freed` are the
 * tokens of the current summary, which any plan frees. `NO_PLAN` when the message fits already, or cannot fit.
 */
export function plannedForRoom(history: History, settings: CompactionSettings, load: Load, freed: number): Plan {
  const { excess } = lackOf(load);
  if (excess <= 0) {
    return NO_PLAN;
  }
  const own = plannedBy(history, settings, { messageId: null, confidence: 0 });
  const cuts = [lastCutKeeping(history, 1), cutAtOrBefore(history, history.messages.length - 1)];
  const rungs = [own, rollingWindowPolicy(history, settings, own), ...cuts.map((cut) => planAt(history, cut, 'summarize'))];
  const plan = rungs.find((each) => gain(each) >= excess) ?? rungs.toSorted((a, b) => gain(b) - gain(a))[0] ?? NO_PLAN;
  return plan.case !== 'none' && plan.tokens + freed - LEAST_NOTE >= excess ? plan : NO_PLAN;
}

/**
 * Plans the messages to drop when no summary makes room: those that a rolling window would summarize, if that is
 * enough, otherwise `truncationForRoom`. `freed` as above. `NO_PLAN` when the message fits already, or cannot fit.
 */
export function plannedWithoutSummary(history: History, settings: CompactionSettings, load: Load, freed: number): Plan {
  const { room, excess } = lackOf(load);
  if (excess <= 0) {
    return NO_PLAN;
  }
  const own = settings.policy === 'rolling-window' ? withoutSummary(plannedForRoom(history, settings, load, freed)) : NO_PLAN;
  return gain(own) >= excess ? own : truncationForRoom(history, { room, excess: excess - freed });
}

/** Returns the tokens that a conversation may have (`room`), and those over it (`excess`). */
function lackOf({ budget, fixedTokens, historyTokens }: Load): { readonly room: number; readonly excess: number } {
  const room = Math.max(0, budget - fixedTokens);
  return { room, excess: historyTokens - (budget - fixedTokens) };
}

/** Limits the verbatim window to half of the conversation. In a small context there would be nothing to summarize. */
function inSmallWindow({ tokensBefore }: History, settings: CompactionSettings): CompactionSettings {
  return { ...settings, verbatimTokens: Math.min(settings.verbatimTokens, Math.floor((tokensBefore.at(-1) ?? 0) / 2)) };
}
