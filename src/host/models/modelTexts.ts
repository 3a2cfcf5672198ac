import type { Prices } from '../../engine/accounting/price.js';
import { price, tokens as written } from '../../protocol/numbers.js';
import { priceInWords } from '../../protocol/pretended.js';

/** `128,000 tokens · $3.00 in, $15.00 out per million`, for lists of models. */
export function limitsText(model: { readonly maxInputTokens: number | null; readonly prices: Prices | null }): string {
  return `${windowText(model.maxInputTokens)} · ${priceText(model.prices)}`;
}

export function windowText(tokens: number | null): string {
  return tokens === null ? 'context size unknown' : `${written(tokens)} tokens`;
}

export function priceText(prices: Prices | null): string {
  if (prices === null) {
    return 'price unknown';
  }
  return priceInWords(`${price(prices.input)} in, ${price(prices.output)} out per million`, prices.isPretended === true);
}
