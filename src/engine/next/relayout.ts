import type { ChatConfig } from '../chat/settings/config.js';
import { billedPrices, PER_MILLION, ratesOf } from '../model/price.js';
import type { ManifestContent } from '../record/manifest.js';
import { differingPlace } from '../diagnosis/firstDifference.js';
import { promptBlocks } from '../model/prompt.js';
import { sumTokens } from '../sumTokens.js';
import type { ComposedRequest } from './compose.js';
import { scaledTokens } from '../record/requestSize.js';

/** The effect of a new layout on the next request. Prices in US dollars. Null when unknown, and for a free model. */
export interface Relayout {
  /** Tokens that later requests will no longer contain. */
  readonly droppedTokens: number;
  /** Cached tokens that the provider must write to the cache again. */
  readonly rewrittenTokens: number;
  /** The additional cost of the next request. `saving`: the saving in each later request. */
  readonly cost: number | null;
  readonly saving: number | null;
}

/** Returns the effect of a relayout on the next request. Null for no effect. `last`: blocks of the last request. */
export function relayoutOf(now: ComposedRequest, anew: ComposedRequest, last: ManifestContent['blocks']): Relayout | null {
  const [kept, rebuilt] = [promptBlocks(now.prompt), promptBlocks(anew.prompt)];
  const same = differingPlace(kept, rebuilt);
  if (same === kept.length && same === rebuilt.length) {
    return null;
  }
  const read = differingPlace(kept, last);
  const { size, model } = now;
  const droppedTokens = scaledTokens(sumTokens(kept) - sumTokens(rebuilt), size);
  const rewrittenTokens = scaledTokens(sumTokens(rebuilt.slice(same)) - sumTokens(kept.slice(Math.max(same, read))), size);
  const prices = billedPrices(model.prices);
  if (prices === null) {
    return { droppedTokens, rewrittenTokens, cost: null, saving: null };
  }
  const { cacheWrite5m, cacheRead } = ratesOf(prices, size.tokens);
  const noLongerRead = scaledTokens(sumTokens(kept.slice(same, read)), size);
  return {
    droppedTokens,
    rewrittenTokens,
    cost: (rewrittenTokens * cacheWrite5m - noLongerRead * cacheRead) / PER_MILLION,
    saving: (droppedTokens * cacheRead) / PER_MILLION,
  };
}

/** Returns whether sent content keeps its place in later requests, so that it is read from the provider's cache. */
export function keepsLayout({ cacheMode, layout }: Pick<ChatConfig, 'cacheMode' | 'layout'>): boolean {
  return cacheMode === 'cached' && layout === 'adaptive';
}
