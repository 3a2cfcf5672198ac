import { priceOfReply, type Prices } from '../../engine/accounting/price.js';
import { figureValue } from '../../engine/accounting/usage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ReplyPrice } from '../../protocol/view.js';

/** Replies looked back on: a chat's replies get longer or shorter as it goes on. */
const LATEST = 20;

/** Fewer replies have no middle that one of them does not move. */
const FEWEST_FOR_TYPICAL = 4;

/**
 * What a reply of this chat costs at these prices: the median length of its latest replies, which one long one does not
 * move; of few replies the length of the last one. A reply is all that a message made the model write, in as many requests
 * as its tools needed. Null before the first reply and without prices.
 */
export function typicalReply({ attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>, prices: Prices | null): ReplyPrice | null {
  const lengths = replyLengths(attempts.values(), runs).slice(-LATEST);
  const isTypical = lengths.length >= FEWEST_FOR_TYPICAL;
  const length = isTypical ? lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] : lengths.at(-1);
  const cost = length === undefined ? null : priceOfReply(length, prices);
  return cost === null ? null : { cost, isTypical };
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
