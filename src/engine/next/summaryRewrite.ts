import { sameHashes } from '../cache/prefixIds.js';
import type { ChatState } from '../chat/state.js';
import type { SummaryRewrite } from '../compaction/summaryPrice.js';
import type { Block } from '../model/block.js';
import type { Ttl } from '../model/cacheRules.js';
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

/** How the next request with a summary differs from the next request without it, for the price of the summary. */
export interface RewriteFigures {
  /**
   * How many more tokens the next request writes to the cache because of the summary, without the text of the summary.
   * Negative if it replaces more text that would be written.
   */
  readonly rewritten: number;
  /** The lifetime of what is written. */
  readonly ttl: Ttl;
  /** How many tokens the provider counts for each token that Loupe counts. */
  readonly correction: number;
}

type Composed = Pick<ComposedRequest, 'prompt' | 'forecast' | 'size'>;

/** `now`: the next request without the summary. `then`: the next request with a summary without text. */
export function rewriteFigures(now: Composed, then: Composed): RewriteFigures {
  const last = promptBlocks(then.prompt).findLast(({ breakpoint }) => breakpoint !== null);
  const { tokens, counted } = now.size;
  return {
    rewritten: rewrittenTokens(now, then),
    // Providers that cache on their own have one price for writes.
    ttl: last?.breakpoint?.ttl ?? '5m',
    correction: counted === 0 ? 1 : tokens / counted,
  };
}

function rewrittenTokens(now: Composed, then: Composed): number {
  if (now.forecast !== null && then.forecast !== null) {
    return then.forecast.parts.written - now.forecast.parts.written;
  }
  const blocks = promptBlocks(then.prompt);
  return scaledTokens(sumTokens(blocks.slice(sameHashes(blocks, promptBlocks(now.prompt)))), then.size);
}

/** Returns the index of the summary. -1 without a summary. */
function summaryPlace(blocks: readonly Block[]): number {
  return blocks.findIndex(({ key }) => key.startsWith(SUMMARY_KEY));
}
