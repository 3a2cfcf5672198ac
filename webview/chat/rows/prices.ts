import type { CacheParts } from '../../../src/protocol/forecast.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';

/** Returns the price of a part in US dollars: by the cache state of its tokens, or by the mean price per token. */
export type InputPrices = (tokens: number, cache: CacheParts | null) => number;

/** Returns the mean price of an input token in US dollars. Null when unknown. */
export function costPerToken({ inputCost, totalTokens }: Pick<NextRequestView, 'inputCost' | 'totalTokens'>): number | null {
  return inputCost === null || totalTokens === 0 ? null : inputCost / totalTokens;
}

/** Returns the function for the prices of parts, which add up to the request's price. Null when unknown. */
export function inputPrices(request: Pick<NextRequestView, 'inputCost' | 'totalTokens' | 'forecast'>): InputPrices | null {
  const mean = costPerToken(request);
  const rates = request.forecast?.rates ?? null;
  if (mean === null) {
    return null;
  }
  return (tokens, cache) =>
    cache === null || rates === null ? tokens * mean : cache.read * rates.read + cache.written * rates.written + cache.fresh * rates.fresh;
}
