import type { CacheParts } from '../../../src/protocol/forecast.js';
import type { NextRequestView } from '../../../src/protocol/panel/view.js';
import { type TemplateResult, html } from 'lit';
import { priceInWords } from '../../shared/numbers.js';

/**
 * US dollars for a part of a request, by what the cache does with its tokens; by the mean price when that is unknown.
 */
export type InputPrices = (tokens: number, cache: CacheParts | null) => number;

/** US dollars for a token of the input, on average; null when unknown. */
export function costPerToken({ inputCost, totalTokens }: Pick<NextRequestView, 'inputCost' | 'totalTokens'>): number | null {
  return inputCost === null || totalTokens === 0 ? null : inputCost / totalTokens;
}

/** The prices of the parts of the next request, which add up to its own price; null when unknown. */
export function inputPrices(request: Pick<NextRequestView, 'inputCost' | 'totalTokens' | 'forecast'>): InputPrices | null {
  const mean = costPerToken(request);
  const rates = request.forecast?.rates ?? null;
  if (mean === null) {
    return null;
  }
  return (tokens, cache) =>
    cache === null || rates === null ? tokens * mean : cache.read * rates.read + cache.written * rates.written + cache.fresh * rates.fresh;
}

/** A price in a line of figures. A narrow line hides its words visually; screen readers keep them. */
export function priceFigure(words: string, isPretended: boolean): TemplateResult {
  return isPretended ? html`<span class="figure-words">${priceInWords('', true)}</span>${words}` : html`${words}`;
}
