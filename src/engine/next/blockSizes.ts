import { blockParts } from '../cache/forecast.js';
import type { Ttl } from '../model/cacheRules.js';
import type { Block } from '../model/block.js';
import type { CacheParts } from '../model/inputParts.js';
import { priceOfPart, ratesOf, type Rates } from '../model/price.js';
import { promptBlocks } from '../model/prompt.js';
import type { ComposedRequest } from './compose.js';

/** The size of some blocks of a request. */
export interface BlockSize {
  readonly tokens: number;
  /** US dollars at the expected cache use; without a forecast, the price without a cache. Null without prices. */
  readonly price: number | null;
}

/** Returns the size of the blocks that `isWanted` accepts, or null if the request contains none. */
export type SizeOfBlocks = (isWanted: (block: Block) => boolean) => BlockSize | null;

/** Returns a function that measures blocks of one request. It splits the expected cache use at most once. */
export function sizesOfBlocks({
  prompt,
  forecast,
  model,
  size,
}: Pick<ComposedRequest, 'prompt' | 'forecast' | 'model' | 'size'>): SizeOfBlocks {
  const rates = model.prices === null ? null : ratesOf(model.prices, size.tokens);
  let parts: readonly CacheParts[] | null = null;
  return (isWanted) => {
    const blocks = promptBlocks(prompt);
    const wanted = blocks.flatMap((block, at) => (isWanted(block) ? [at] : []));
    if (wanted.length === 0) {
      return null;
    }
    parts ??= forecast === null ? [] : blockParts(forecast);
    const sum = { tokens: 0, price: 0 };
    for (const at of wanted) {
      const tokens = blocks[at]?.tokens ?? 0;
      sum.tokens += tokens;
      sum.price += rates === null ? 0 : priceOfBlock(parts[at] ?? { read: 0, written: 0, fresh: tokens }, writtenFor(blocks, at), rates);
    }
    return { tokens: sum.tokens, price: rates === null ? null : sum.price };
  };
}

/** Returns the lifetime of the cache entry that a block is written to: that of the next breakpoint. */
function writtenFor(blocks: readonly Block[], at: number): Ttl {
  return blocks.slice(at).find(({ breakpoint }) => breakpoint !== null)?.breakpoint?.ttl ?? '5m';
}

function priceOfBlock({ read, written, fresh }: CacheParts, ttl: Ttl, rates: Rates): number {
  const [written5m, written1h] = ttl === '1h' ? [0, written] : [written, 0];
  return priceOfPart({ read, written5m, written1h, fresh }, rates);
}
