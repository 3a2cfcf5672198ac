import { blockParts } from '../cache/forecast.js';
import { sameHashes } from '../cache/prefixIds.js';
import type { ChatState } from '../chat/state.js';
import type { SummaryRewrite } from '../compaction/summaryPrice.js';
import type { Block } from '../model/block.js';
import type { Ttl } from '../model/cacheRules.js';
import type { CacheParts } from '../model/inputParts.js';
import { ratesOf } from '../model/price.js';
import { promptBlocks, promptBreakpoints } from '../model/prompt.js';
import { scaledTokens } from '../record/requestSize.js';
import { manifestBase } from '../request/base.js';
import { SUMMARY_KEY } from '../request/gather.js';
import { sumTokens } from '../sumTokens.js';
import type { ComposedRequest } from './compose.js';

/**
 * Returns what a new or changed summary writes to the cache again. Null if the last request had the same summary, or if
 * the next request does not cost more with the summary.
 */
export function summaryRewrite(
  composed: Pick<ComposedRequest, 'prompt' | 'forecast' | 'model' | 'size' | 'situation'>,
  state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>,
): SummaryRewrite | null {
  const { prompt, forecast } = composed;
  const blocks = promptBlocks(prompt);
  const place = summaryPlace(blocks);
  const summary = blocks[place];
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  if (sent === undefined || sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash)) {
    return null;
  }
  if (!costsMore(composed)) {
    return null;
  }
  return forecast?.parts.read === 0 ? 'whole' : sameHashes(blocks, sent) < place ? 'beginning' : 'afterSummary';
}

/**
 * Whether the forecast for the summary and the rest of the last request costs more than the last request would cost
 * now. Ignores messages after the last request, because they cost the same with and without the summary.
 */
function costsMore({ prompt, forecast, model, size, situation }: Parameters<typeof summaryRewrite>[0]): boolean {
  const { last } = situation;
  if (forecast === null || model.prices === null || last === null) {
    return false;
  }
  const rates = ratesOf(model.prices, size.tokens);
  const isMarked = model.capabilities.cache.kind === 'marks';
  const isLong = promptBreakpoints(prompt).at(-1)?.ttl === '1h';
  const write = isMarked ? (isLong ? rates.cacheWrite1h : rates.cacheWrite5m) : rates.input;
  const costOf = ({ read, written, fresh }: CacheParts): number => read * rates.cacheRead + written * write + fresh * rates.input;
  const sent = new Set(last.blocks.map(({ key }) => key));
  const parts = blockParts(forecast);
  const now = promptBlocks(prompt).map(({ key }, at) => {
    const part = sent.has(key) || key.startsWith(SUMMARY_KEY) ? parts[at] : undefined;
    return part === undefined ? 0 : costOf(part);
  });
  const [read, written] = [last.blocks.slice(0, last.alive), last.blocks.slice(last.alive)].map((each) =>
    scaledTokens(sumTokens(each), size),
  );
  return now.reduce((sum, cost) => sum + cost, 0) > costOf({ read: read ?? 0, written: written ?? 0, fresh: 0 });
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
