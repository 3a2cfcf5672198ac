import { historyTokens, roundsOfLastTurn, type History } from './history.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';

/** A conversation whose summaries fail is cut at this multiple of its trigger. The number is the reference's. */
const FACTOR = 2;

/** The share of the room that a cut leaves free, so that not every later message needs another cut. */
const FREE_SHARE = 0.25;

/** Fewest tokens of the text that replaces dropped messages: a heading and a note. */
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

/** What a conversation lacks. */
export interface Lack {
  /** The tokens that it may have. */
  readonly room: number;
  /** The tokens that it has too many. */
  readonly excess: number;
}

/**
 * Plans to drop the oldest turns of a conversation that is too long: as few as leave some room free, else as few as make it
 * fit. Where the last turn alone is too long, its oldest rounds of tool calls go, too. The last round, the message that is being
 * answered and pinned messages stay. Returns `NO_PLAN` when even that is not enough, so that nothing is lost in vain.
 */
export function truncationForRoom(history: History, lack: Lack): Plan {
  const turns = enoughOf(history, history.exchanges, lack);
  return turns.case === 'none' ? enoughOf(history, roundsOfLastTurn(history), lack) : turns;
}

/** The first cut at one of these places that is enough. */
function enoughOf(history: History, places: readonly number[], { room, excess }: Lack): Plan {
  const plans = places.map((place) => planAt(history, place, 'truncate')).filter((each) => each.case !== 'none');
  const plan = plans.find((each) => gain(each) >= excess + room * FREE_SHARE) ?? plans.find((each) => gain(each) >= excess);
  return plan ?? withShortLines(plans, excess);
}

/** Returns the first plan that makes room when fewer lines than usual are kept of what it drops. */
function withShortLines(plans: readonly Exclude<Plan, { case: 'none' }>[], excess: number): Plan {
  const plan = plans.find((each) => each.tokens - LEAST_NOTE >= excess);
  return plan === undefined ? NO_PLAN : { ...plan, summaryTokens: plan.tokens - excess };
}
