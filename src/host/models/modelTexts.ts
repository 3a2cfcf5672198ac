import type { Prices, RateFigures } from '../../engine/model/price.js';
import type { Charges } from '../../engine/cacheMonitor/charges.js';
import { counted, price, priceInWords, tokens as written } from '../../protocol/numbers.js';

/** Describes a model in a list: `128,000 tokens · $3.00 in, $15.00 out per million`. */
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
  const long = (prices.longPrompts ?? []).map((rates) => `; above ${written(rates.above)} tokens ${ratesText(rates)}`).join('');
  return priceInWords(`${ratesText(prices)} per million${long}`, prices.isPretended === true);
}

/** What Loupe assumes for a model with prices of input and output only. */
export const NO_CACHE_PRICES = 'no cache prices: cached input at the full price';

function ratesText({ input, output }: RateFigures): string {
  return `${price(input)} in, ${price(output)} out`;
}

/** Compares the charges with the listed prices: `provider charges 10% less than these prices (14 requests)`. */
export function chargesText({ share, requests }: Charges): string {
  const what = share === 1 ? 'these prices' : `${shareInWords(share)} than these prices`;
  return `provider charges ${what} (${counted(requests, 'request')})`;
}

/** Describes how a share differs from 1: `10% less`. */
export function shareInWords(share: number): string {
  return `${String(Math.round(Math.abs(share - 1) * 100))}% ${share < 1 ? 'less' : 'more'}`;
}
