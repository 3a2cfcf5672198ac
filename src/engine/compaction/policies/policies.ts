import { LEAST_NOTE, truncationForRoom } from '../emergency.js';
import { type History, cutAtOrBefore, lastCutKeeping } from '../history.js';
import { NO_PLAN, type Plan, gain, planAt } from '../plan.js';
import type { CompactionSettings } from '../settings.js';
import { type TopicBegin, topicBoundaryPolicy } from './topicBoundaryPolicy.js';
import type { Load } from './triggers.js';

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
