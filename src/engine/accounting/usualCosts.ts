import { isUnbilled } from '../chat/billedUsage.js';
import { priceOfReply } from '../model/price.js';
import { figureValue } from '../model/usage.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { UntilChange } from '../chat/untilChange.js';
import type { Request } from '../request/request.js';

/** What the latest replies of the chat would cost at the current prices, in US dollars. */
export interface ReplyPrice {
  /** Range of the costs: all replies if there are few, otherwise the middle half. */
  readonly low: number;
  readonly high: number;
  readonly median: number;
  /** Number of replies in this calculation. */
  readonly replies: number;
}

/** Number of latest turns to use. Older turns are ignored, because turns and the length of replies change in a chat. */
const LATEST = 20;

/** Minimum number of replies for a range of the middle half. With fewer replies, the range covers all replies. */
const FEWEST_FOR_HALF = 4;

/**
 * Returns the price range of a reply to this request, based on the lengths of the chat's latest replies. All output of
 * one turn is one reply here. Null before the first reply and without prices.
 */
export function typicalReply(
  state: Pick<ChatState, 'attempts' | 'runs'>,
  { model, size }: Pick<Request, 'model' | 'size'>,
): ReplyPrice | null {
  const latest = LENGTHS.of(state, () => latestLengths([...state.attempts.values()], state.runs));
  return replyPrice(latest.flatMap((length) => priceOfReply(length, size.tokens, model.prices) ?? []));
}

/** Returns the range of these costs. Null without costs. With four or more costs, the range covers the middle half. */
export function replyPrice(costs: readonly number[]): ReplyPrice | null {
  const sorted = costs.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const aside = sorted.length < FEWEST_FOR_HALF ? 0 : Math.round(last / 4);
  const [low, median, high] = [sorted[aside], sorted[Math.round(last / 2)], sorted[last - aside]];
  return low === undefined || median === undefined || high === undefined ? null : { low, median, high, replies: sorted.length };
}

/** Cached, because views need the lengths at each key press. */
const LENGTHS = new UntilChange<readonly number[]>();

/** Returns the output tokens of the latest completed replies. Skips replies that a fork copied, which have no run. */
function latestLengths(attempts: readonly AttemptState[], runs: ChatState['runs']): number[] {
  const byRun = new Map<string, number>();
  // Read from the end, because a long chat has thousands of attempts. All attempts of a run are adjacent.
  for (const { purpose, runId, end } of attempts.toReversed()) {
    const length = outputTokens(end);
    if (length > 0 && purpose === 'reply' && runId !== null && runs.get(runId)?.status === 'committed') {
      byRun.set(runId, (byRun.get(runId) ?? 0) + length);
    }
    if (byRun.size > LATEST) {
      break;
    }
  }
  return [...byRun.values()].slice(0, LATEST);
}

function outputTokens(end: AttemptState['end']): number {
  return figureValue(end?.usage?.completionTokens ?? null) ?? 0;
}

/** A price far above the usual price of a turn of the chat. */
export interface UnusualPrice {
  /** Median cost of the chat's turns, in US dollars. */
  readonly median: number;
  /** Cost of the next request, as a multiple of the median. */
  readonly times: number;
}

/** Minimum number of turns for a comparison. The median of fewer turns says little. */
const FEWEST = 5;

/** Multiple of the median above which a price is unusual. An expired cache causes smaller differences. */
const UNUSUAL = 10;

/** Minimum price in US dollars for a warning. */
const LEAST = 0.01;

/**
 * Compares a price in US dollars with the median cost of the chat's latest turns. Null when the price is usual or
 * cannot be compared. Uses only completed turns whose requests all have a known price.
 */
export function unusualPrice(usd: number | null, state: Pick<ChatState, 'attempts' | 'runs'>): UnusualPrice | null {
  if (usd === null || usd < LEAST) {
    return null;
  }
  const costs = COSTS.of(state, () => latestCosts([...state.attempts.values()], state.runs)).toSorted((a, b) => a - b);
  const median = costs[Math.floor((costs.length - 1) / 2)] ?? 0;
  const isUnusual = costs.length >= FEWEST && median > 0 && usd > UNUSUAL * median;
  return isUnusual ? { median, times: usd / median } : null;
}

const COSTS = new UntilChange<readonly number[]>();

function latestCosts(attempts: readonly AttemptState[], runs: ChatState['runs']): readonly number[] {
  const byRun = new Map<string, number | null>();
  // Read from the end, because a long chat has thousands of attempts. All attempts of a run are adjacent.
  for (const attempt of attempts.toReversed()) {
    const { purpose, runId } = attempt;
    if (purpose === 'reply' && runId !== null && runs.get(runId)?.status === 'committed') {
      const before = byRun.get(runId);
      const cost = costOf(attempt);
      byRun.set(runId, before === null || cost === null ? null : (before ?? 0) + cost);
    }
    if (byRun.size > LATEST) {
      break;
    }
  }
  return [...byRun.values()].slice(0, LATEST).filter((cost) => cost !== null);
}

/** Returns the cost in US dollars. Null when unknown or a lower bound. Uses a practice model's example prices. */
function costOf(attempt: AttemptState): number | null {
  const cost = attempt.end?.cost ?? null;
  return cost === null ? (isUnbilled(attempt) ? 0 : null) : cost.atLeast ? null : cost.usd;
}
