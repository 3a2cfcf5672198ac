import { html, type TemplateResult } from 'lit';
import { priceInWords } from '../../shared/numbers.js';

/** A price in a line of figures. Where the line is narrow its words leave the sight, not the price; screen readers keep them. */
export function priceFigure(words: string, isPretended: boolean): TemplateResult {
  return isPretended ? html`<span class="figure-words">${priceInWords('', true)}</span>${words}` : html`${words}`;
}
