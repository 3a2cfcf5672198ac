import { priceOfReply, type Prices } from '../../engine/accounting/price.js';
import { figureValue } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ReplyPrice } from '../../protocol/nextRequest.js';

/** Replies looked back on: a chat's replies get longer or shorter as it goes on. */
const LATEST = 20;

/** Of fewer replies a half says nothing: the range is that of all of them. */
const FEWEST_FOR_HALF = 4;

/**
 * What replies of this chat cost at these prices: those of its latest replies, because one reply says little about the next. A
 * reply is all that a message made the model write, in as many requests as its tools needed. Null before the first reply and
 * without prices.
 */
export function typicalReply({ attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>, prices: Prices | null): ReplyPrice | null {
  const latest = replyLengths(attempts.values(), runs).slice(-LATEST);
  return replyPrice(latest.flatMap((length) => priceOfReply(length, prices) ?? []));
}

/** The range of what replies cost, of four and more that of the middle half; null for none. */
export function replyPrice(costs: readonly number[]): ReplyPrice | null {
  const sorted = costs.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const aside = sorted.length < FEWEST_FOR_HALF ? 0 : Math.round(last / 4);
  const [low, median, high] = [sorted[aside], sorted[Math.round(last / 2)], sorted[last - aside]];
  return low === undefined || median === undefined || high === undefined ? null : { low, median, high, replies: sorted.length };
}

/** The output tokens of each reply that came to its end, in the order in which they began. Those a fork copied have no run. */
function replyLengths(attempts: Iterable<AttemptState>, runs: ChatState['runs']): number[] {
  const byRun = new Map<string, number>();
  for (const { purpose, runId, end } of attempts) {
    if (purpose === 'reply' && runId !== null && runs.get(runId)?.status === 'committed') {
      byRun.set(runId, (byRun.get(runId) ?? 0) + (figureValue(end?.usage?.completionTokens ?? null) ?? 0));
    }
  }
  return [...byRun.values()].filter((length) => length > 0);
}
