import { priceOfReply } from '../../../engine/model/price.js';
import { figureValue } from '../../../engine/model/usage.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Request } from '../../../engine/request/request.js';
import type { ReplyPrice } from '../../../protocol/panel/nextRequest.js';

/** Replies looked back on: a chat's replies get longer or shorter as it goes on. */
const LATEST = 20;

/** Of fewer replies a half says nothing: the range is that of all of them. */
const FEWEST_FOR_HALF = 4;

/**
 * What replies of this chat cost as replies to a request: those of its latest replies, because one reply says little about the next.
 * A reply is all that a message made the model write, in as many requests as its tools needed. Null before the first reply and
 * without prices.
 */
export function typicalReply(
  { attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>,
  { model, size }: Pick<Request, 'model' | 'size'>,
): ReplyPrice | null {
  const latest = latestLengths([...attempts.values()], runs);
  return replyPrice(latest.flatMap((length) => priceOfReply(length, size.tokens, model.prices) ?? []));
}

/** The range of what replies cost, of four and more that of the middle half; null for none. */
export function replyPrice(costs: readonly number[]): ReplyPrice | null {
  const sorted = costs.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const aside = sorted.length < FEWEST_FOR_HALF ? 0 : Math.round(last / 4);
  const [low, median, high] = [sorted[aside], sorted[Math.round(last / 2)], sorted[last - aside]];
  return low === undefined || median === undefined || high === undefined ? null : { low, median, high, replies: sorted.length };
}

/** The output tokens of the latest replies that came to their end. Those a fork copied have no run. */
function latestLengths(attempts: readonly AttemptState[], runs: ChatState['runs']): number[] {
  const byRun = new Map<string, number>();
  // From the end: a long chat has thousands. One run answers at a time, so that the attempts of each stand together.
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
