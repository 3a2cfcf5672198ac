import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { billedPrices, PER_MILLION, ratesOf } from '../../../engine/model/price.js';
import type { ManifestContent } from '../../../engine/record/manifest.js';
import { differingPlace } from '../../../engine/diagnosis/firstDifference.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { Composed } from '../composed.js';
import { scaledTokens } from '../sizeTexts.js';

/** The effect of a new layout on the next request. Prices are in US dollars, or null when unknown or not billed. */
export interface Relayout {
  /** Tokens that later requests no longer hold. */
  readonly leftOut: number;
  /** Tokens in the cache that must be written again. */
  readonly cachedAnew: number;
  /** The extra cost of the next request, and the saving of each later one. */
  readonly cost: number | null;
  readonly saving: number | null;
}

/** Returns the effect of a relayout (`anew`) on the next request. `last` are the blocks of the last request. */
export function relayoutOf(now: Composed, anew: Composed, last: ManifestContent['blocks']): Relayout | null {
  const [kept, rebuilt] = [promptBlocks(now.prompt), promptBlocks(anew.prompt)];
  const same = differingPlace(kept, rebuilt);
  if (same === kept.length && same === rebuilt.length) {
    return null;
  }
  const read = differingPlace(kept, last);
  const { size, model } = now;
  const leftOut = scaledTokens(sumTokens(kept) - sumTokens(rebuilt), size);
  const cachedAnew = scaledTokens(sumTokens(rebuilt.slice(same)) - sumTokens(kept.slice(Math.max(same, read))), size);
  const prices = billedPrices(model.prices);
  if (prices === null) {
    return { leftOut, cachedAnew, cost: null, saving: null };
  }
  const { cacheWrite5m, cacheRead } = ratesOf(prices, size.tokens);
  const noLongerRead = scaledTokens(sumTokens(kept.slice(same, read)), size);
  return {
    leftOut,
    cachedAnew,
    cost: (cachedAnew * cacheWrite5m - noLongerRead * cacheRead) / PER_MILLION,
    saving: (leftOut * cacheRead) / PER_MILLION,
  };
}

/** Returns whether requests keep sent content, so that it stays in the provider's cache. */
export function keepsLayout({ cacheMode, layout }: Pick<ChatConfig, 'cacheMode' | 'layout'>): boolean {
  return cacheMode === 'cached' && layout === 'adaptive';
}
