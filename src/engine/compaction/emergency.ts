import { historyTokens, type History } from './history.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';

/** A conversation whose summaries fail may be so many times as long as its trigger before it is cut: the reference's own. */
const FACTOR = 2;

/** The share of the room that a cut leaves free for the next messages: otherwise each of them would need another cut. */
const FREE_SHARE = 0.25;

/** Tokens of a heading and a note: what stands in place of the dropped messages has at least so many. */
export const LEAST_NOTE = 60;

/**
 * The bound for a conversation whose summaries fail in the background: drops the oldest exchanges of more than twice `trigger`
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

/**
 * Drops the oldest exchanges of a conversation that is `excess` tokens over its room: as few as leave some of the room free; where no cut
 * does, as few as make it fit. The last exchange stays, and so do pinned messages. None where even that is not enough: then nothing is lost.
 */
export function truncationForRoom(history: History, { room, excess }: { readonly room: number; readonly excess: number }): Plan {
  const plans = history.exchanges.map((place) => planAt(history, place, 'truncate')).filter((each) => each.case !== 'none');
  const plan = plans.find((each) => gain(each) >= excess + room * FREE_SHARE) ?? plans.find((each) => gain(each) >= excess);
  return plan ?? withShortLines(plans, excess);
}

/** The first plan that is enough with fewer lines than usual in place of what it drops. */
function withShortLines(plans: readonly Exclude<Plan, { case: 'none' }>[], excess: number): Plan {
  const plan = plans.find((each) => each.tokens - LEAST_NOTE >= excess);
  return plan === undefined ? NO_PLAN : { ...plan, summaryTokens: plan.tokens - excess };
}
