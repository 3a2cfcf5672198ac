import { billedPrices, PER_MILLION, ratesOf, type Rates } from '../../engine/accounting/price.js';
import type { ChatState } from '../../engine/chat/state.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import { price, tokens } from '../../protocol/numbers.js';
import type { ContextChip } from '../../protocol/chips.js';
import type { Composed } from '../request/composed.js';
import { scaledTokens } from '../request/sizeTexts.js';

/** The chips of items that were removed, but are still sent: each says what it costs to leave it out at once. */
export function leavingChips({ prompt, size, model }: Composed, { leaving }: ChatState): ContextChip[] {
  const blocks = promptBlocks(prompt);
  const prices = billedPrices(model.prices);
  const rates = prices === null ? null : ratesOf(prices, size.tokens);
  return [...leaving].flatMap(([key, { name }]): ContextChip[] => {
    const first = blocks.findIndex(({ item }) => item === key);
    if (first === -1) {
      return [];
    }
    const own = blocks.filter(({ item }) => item === key).reduce((sum, block) => sum + block.tokens, 0);
    const behind = blocks.slice(first).reduce((sum, block) => sum + block.tokens, 0) - own;
    const text = `Removed, but still sent. It leaves when that costs nothing more. ${nowText(scaledTokens(behind, size), rates)}`;
    return [{ key, name, files: null, tokens: own, warning: { kind: 'leaving', text } }];
  });
}

/** What leaving an item out at once costs at most: all behind it is written to the cache again instead of read. */
function nowText(rewritten: number, rates: Rates | null): string {
  const cost = rates === null ? null : (rewritten * (rates.cacheWrite5m - rates.cacheRead)) / PER_MILLION;
  return `Remove it again to leave it out now: ${tokens(rewritten)} tokens are then cached anew${cost === null ? '' : `, for about ${price(cost)}`}.`;
}
