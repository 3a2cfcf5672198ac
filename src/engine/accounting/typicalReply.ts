import { priceOfReply } from '../model/price.js';
import { figureValue } from '../model/usage.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
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

/** Number of latest replies to use. Older replies are ignored, because the length of replies changes during a chat. */
const LATEST = 20;

/** Minimum number of replies for a range of the middle half. With fewer replies, the range covers all replies. */
const FEWEST_FOR_HALF = 4;

/**
 * Returns the price range of a reply to this request, based on the lengths of the chat's latest replies. All output of
 * one turn is one reply here. Null before the first reply and without prices.
 */
export function typicalReply(
  { attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>,
  { model, size }: Pick<Request, 'model' | 'size'>,
): ReplyPrice | null {
  const latest = latestLengths([...attempts.values()], runs);
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
