import type { CacheParts } from '../../../src/protocol/forecast.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { basisPrice, columnPrice } from '../../shared/numbers.js';

/** Returns the price of a part in words. */
export type PriceWords = (tokens: number, cache: CacheParts | null) => string;

/** Returns the mean price of an input token in US dollars. Null when unknown. */
export function costPerToken({ inputCost, totalTokens }: Pick<NextRequestView, 'inputCost' | 'totalTokens'>): number | null {
  return inputCost === null || totalTokens === 0 ? null : inputCost / totalTokens;
}

/**
 * Returns the function for the prices of parts in US dollars, which add up to the request's price. Each price is by the
 * cache state of the part's tokens, or by the mean price per token. Null when unknown.
 */
export function inputPrices(
  request: Pick<NextRequestView, 'inputCost' | 'totalTokens' | 'forecast'>,
): ((tokens: number, cache: CacheParts | null) => number) | null {
  const mean = costPerToken(request);
  const rates = request.forecast?.rates ?? null;
  if (mean === null) {
    return null;
  }
  return (tokens, cache) =>
    cache === null || rates === null ? tokens * mean : cache.read * rates.read + cache.written * rates.written + cache.fresh * rates.fresh;
}

/** Returns the function for the prices of parts in words. Null when unknown. */
export function pricesInWords(request: NextRequestView): PriceWords | null {
  const prices = inputPrices(request);
  return prices === null ? null : (tokens, cache) => basisPrice(columnPrice(prices(tokens, cache), false), request.basis);
}
