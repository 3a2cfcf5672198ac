import { sameHashes } from '../cache/prefixIds.js';
import type { ChatState } from '../chat/state.js';
import type { SummaryRewrite } from '../compaction/summaryPrice.js';
import type { Block } from '../model/block.js';
import { promptBlocks } from '../model/prompt.js';
import { scaledTokens } from '../record/requestSize.js';
import { manifestBase } from '../request/base.js';
import { SUMMARY_KEY } from '../request/gather.js';
import { sumTokens } from '../sumTokens.js';
import type { ComposedRequest } from './compose.js';

/** Returns what a new or changed summary writes to the cache again. Null if the last request had the same summary. */
export function summaryRewrite(
  { prompt, forecast }: Pick<ComposedRequest, 'prompt' | 'forecast'>,
  state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>,
): SummaryRewrite | null {
  const blocks = promptBlocks(prompt);
  const place = summaryPlace(blocks);
  const summary = blocks[place];
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  if (sent === undefined || sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash)) {
    return null;
  }
  return forecast?.parts.read === 0 ? 'whole' : sameHashes(blocks, sent) < place ? 'beginning' : 'afterSummary';
}

/**
 * Returns the tokens before the summary in `then`, the next request with a summary, that are written again because of
 * it. `now`: the next request without the summary, which reads these tokens from the cache.
 */
export function rewrittenBeginning(
  now: Pick<ComposedRequest, 'prompt' | 'forecast'>,
  then: Pick<ComposedRequest, 'prompt' | 'forecast' | 'size'>,
): number {
  const blocks = promptBlocks(then.prompt);
  const tokensTo = (place: number): number =>
    then.forecast === null ? scaledTokens(sumTokens(blocks.slice(0, place)), then.size) : (then.forecast.ends[place - 1] ?? 0);
  const beginning = tokensTo(summaryPlace(blocks));
  const read = then.forecast?.parts.read ?? tokensTo(sameHashes(blocks, promptBlocks(now.prompt)));
  return Math.max(0, Math.min(beginning, now.forecast?.parts.read ?? beginning) - read);
}

/** Returns the index of the summary. -1 without a summary. */
function summaryPlace(blocks: readonly Block[]): number {
  return blocks.findIndex(({ key }) => key.startsWith(SUMMARY_KEY));
}
