import { historyTokens, stepsOfLastTurn, type History } from './history.js';
import { gain, NO_PLAN, planAt, type Plan } from './plan.js';

/** If summaries fail, Loupe drops old turns when the conversation has this many times the tokens of the trigger. */
const FACTOR = 2;

/** Share of the conversation's token limit that a cut leaves free. Otherwise the next message needs another cut. */
const FREE_SHARE = 0.25;

/** Minimum number of tokens for the text that replaces dropped messages: a heading and a note. */
export const LEAST_NOTE = 60;

/**
 * Plans to drop old turns if summaries fail and the conversation has more than twice `trigger` tokens. Drops only as
 * many turns as needed: the remaining messages, with the lines kept word for word, then have at most `trigger` tokens.
 * Keeps the last turn and pinned messages.
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
  /** Maximum number of tokens of the conversation. */
  readonly room: number;
  /** Tokens of the conversation above `room`. */
  readonly excess: number;
}

/**
 * Plans to drop as few old turns as possible. Prefers a plan that leaves some room free; otherwise the conversation
 * must only fit. If the last turn alone is too long, drops its oldest steps. Keeps the last step, a user message
 * without a reply and pinned messages. Returns `NO_PLAN` when all this is not enough.
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

/** Returns the first plan that frees enough tokens with fewer lines kept word for word. Otherwise `NO_PLAN`. */
function withShortLines(plans: readonly Exclude<Plan, { case: 'none' }>[], excess: number): Plan {
  const plan = plans.find((each) => each.tokens - LEAST_NOTE >= excess);
  return plan === undefined ? NO_PLAN : { ...plan, summaryTokens: plan.tokens - excess };
}
