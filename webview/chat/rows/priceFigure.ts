import { html, type TemplateResult } from 'lit';
import { priceInWords } from '../../shared/numbers.js';

/** A price in a line of figures. A narrow line hides its words visually; screen readers keep them. */
export function priceFigure(words: string, isPretended: boolean): TemplateResult {
  return isPretended ? html`<span class="figure-words">${priceInWords('', true)}</span>${words}` : html`${words}`;
}
