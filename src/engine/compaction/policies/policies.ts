import { LEAST_NOTE, truncationForRoom } from '../emergency.js';
import { type History, cutAtOrBefore, lastCutKeeping } from '../history.js';
import { NO_PLAN, type Plan, gain, planAt } from '../plan.js';
import type { CompactionSettings } from '../settings.js';
import { type TopicBegin, topicBoundaryPolicy } from './topicBoundaryPolicy.js';
import type { Load } from './triggers.js';

/*
 * The plans of the rolling window, in order. Each plan keeps fewer tokens than the previous plan, but always the whole
 * last turn:
 * 1. Summarize all but the last `recentMessages` messages.
 * 2. Keep fewer messages, one by one, down to `leastRecentMessages`.
 * 3. Keep only the last turn.
 * 4. Keep only the last turn, with a concise summary, as the last resort.
 */

/** Maximum number of tokens of a concise summary: a few lines, half of `LEAST_SUMMARY_TOKENS`. */
const CONCISE_SUMMARY_TOKENS = 250;

/** Returns the first plan that frees more tokens than `tried`, the plan that was not enough. Start with `NO_PLAN`. */
export function rollingWindowPolicy(
  history: History,
  settings: Pick<CompactionSettings, 'recentMessages' | 'leastRecentMessages'>,
  tried: Plan,
): Plan {
  return ladder(history, settings).find((plan) => gain(plan) > gain(tried)) ?? NO_PLAN;
}

/** Returns the plan for a failed summary: the same cut, with only the lines kept word for word. */
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

/** Minimum number of messages to keep: enough to continue the work. */
const LEAST_LEFT = 20;
/** Maximum number of messages to keep: few enough to delay the next compaction. */
const MOST_LEFT = 30;

/**
 * Plans a summary. Keeps the last 20 to 30 messages, or more if whole steps or the last turns need it. Cuts before a
 * user message, or else between two steps. The plan may free only a few tokens, because this policy limits the number
 * of messages, not of tokens.
 */
export function messageCountPolicy(history: History, { leastExchanges }: Pick<CompactionSettings, 'leastExchanges'>): Plan {
  const { length } = history.messages;
  const turn = history.turns.findLast((place) => length - place >= LEAST_LEFT && length - place <= MOST_LEFT);
  const cut = turn ?? cutAtOrBefore(history, length - LEAST_LEFT);
  return planAt(history, Math.min(cut, lastCutKeeping(history, leastExchanges)), 'summarize');
}

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
 * Plans a summary that makes room for a message that does not fit. Uses the plan of the chat's policy if that plan
 * frees enough tokens. Otherwise summarizes all but the last turn, or all but the last step of a long tool loop.
 * `freed` are the tokens of the current summary, which any plan frees. `NO_PLAN` when the message already fits, or
 * cannot fit.
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
 * Plans the messages to drop when no summary makes room. The policy `rolling-window` drops what it would summarize. If
 * that is not enough, and for other policies, `truncationForRoom` decides. `freed`, `NO_PLAN`: see `plannedForRoom`.
 */
export function plannedWithoutSummary(history: History, settings: CompactionSettings, load: Load, freed: number): Plan {
  const { room, excess } = lackOf(load);
  if (excess <= 0) {
    return NO_PLAN;
  }
  const own = settings.policy === 'rolling-window' ? withoutSummary(plannedForRoom(history, settings, load, freed)) : NO_PLAN;
  return gain(own) >= excess ? own : truncationForRoom(history, { room, excess: excess - freed });
}

/** Returns the tokens that a conversation may have (`room`), and how many tokens it has above that limit (`excess`). */
function lackOf({ budget, fixedTokens, historyTokens }: Load): { readonly room: number; readonly excess: number } {
  const room = Math.max(0, budget - fixedTokens);
  return { room, excess: historyTokens - (budget - fixedTokens) };
}

/** Limits `verbatimTokens` to half of the conversation, so that a short conversation has messages to summarize. */
function inSmallWindow({ tokensBefore }: History, settings: CompactionSettings): CompactionSettings {
  return { ...settings, verbatimTokens: Math.min(settings.verbatimTokens, Math.floor((tokensBefore.at(-1) ?? 0) / 2)) };
}
