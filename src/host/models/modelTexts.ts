import type { Prices } from '../../engine/accounting/price.js';

/** `128,000 tokens · $3 in, $15 out per million`, for lists of models. */
export function limitsText(model: { readonly maxInputTokens: number | null; readonly prices: Prices | null }): string {
  return `${windowText(model.maxInputTokens)} · ${priceText(model.prices)}`;
}

export function windowText(tokens: number | null): string {
  return tokens === null ? 'context size unknown' : `${tokens.toLocaleString('en-US')} tokens`;
}

export function priceText(prices: Prices | null): string {
  return prices === null ? 'price unknown' : `$${prices.input} in, $${prices.output} out per million`;
}
