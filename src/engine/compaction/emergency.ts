import { historyTokens, stepsOfLastTurn, type History } from './history.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';

/** A conversation whose summaries fail is cut at this multiple of its trigger, as in the reference implementation. */
const FACTOR = 2;

/** The share of the room that a cut leaves free, so that not every later message needs another cut. */
const FREE_SHARE = 0.25;

/** Fewest tokens of the text that replaces dropped messages: a heading and a note. */
export const LEAST_NOTE = 60;

/**
 * Limits a conversation whose summaries fail. Above twice `trigger`, drops the fewest old turns that bring it to
 * `trigger`, with the kept lines included. The last turn and pinned messages stay.
 */
export function emergencyTruncation(history: History, trigger: number): Plan {
  const tokens = historyTokens(history);
  if (tokens <= FACTOR * trigger) {
    return NO_PLAN;
  }
  const enough = history.turns.find((place) => tokens - gain(planAt(history, place, 'truncate')) <= trigger);
  return planAt(history, enough ?? history.turns.at(-1) ?? 0, 'truncate');
}

export interface TokenShortage {
  /** Tokens that the conversation may have. */
  readonly room: number;
  /** Tokens over `room`. */
  readonly excess: number;
}

/**
 * Plans to drop the fewest old turns that leave some room free, otherwise the fewest that make the conversation fit. If
 * the last turn alone is too long, drops its oldest steps. The last step, the message that waits for a reply and pinned
 * messages stay. Returns `NO_PLAN` when even that is not enough.
 */
export function truncationForRoom(history: History, lack: TokenShortage): Plan {
  const turns = enoughOf(history, history.turns, lack);
  return turns.case === 'none' ? enoughOf(history, stepsOfLastTurn(history), lack) : turns;
}

function enoughOf(history: History, places: readonly number[], { room, excess }: TokenShortage): Plan {
  const plans = places.map((place) => planAt(history, place, 'truncate')).filter((each) => each.case !== 'none');
  const plan = plans.find((each) => gain(each) >= excess + room * FREE_SHARE) ?? plans.find((each) => gain(each) >= excess);
  return plan ?? withShortLines(plans, excess);
}

/** Returns the first plan that makes room when it keeps fewer lines than usual. */
function withShortLines(plans: readonly Exclude<Plan, { case: 'none' }>[], excess: number): Plan {
  const plan = plans.find((each) => each.tokens - LEAST_NOTE >= excess);
  return plan === undefined ? NO_PLAN : { ...plan, summaryTokens: plan.tokens - excess };
}
