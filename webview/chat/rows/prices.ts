import type { CacheParts } from '../../../src/protocol/forecast.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { type TemplateResult, html } from 'lit';
import { priceInWords } from '../../shared/numbers.js';

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

/** A price in a line of figures. A narrow line hides the words, but screen readers still read them. */
export function priceFigure(words: string, isPretended: boolean): TemplateResult {
  return isPretended ? html`<span class="figure-words">${priceInWords('', true)}</span>${words}` : html`${words}`;
}
