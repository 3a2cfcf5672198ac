import { type TemplateResult, html, nothing } from 'lit';
import { price, tokens } from '../../shared/numbers.js';

/** The tokens of a row. The tooltip shows the price, because the column is too narrow. Null figures are unknown. */
export function rowSize(of: number | null, { costPerToken }: { readonly costPerToken: number | null }): TemplateResult {
  const cost = of === null || costPerToken === null ? null : price(of * costPerToken);
  return html`<span class="figures item-tokens" title=${cost === null ? nothing : `About ${cost} with each request`}
    >${of === null ? '' : tokens(of)}${cost === null ? nothing : html`<span class="sr-only"> tokens, about ${cost} with each request</span>`}</span
  >`;
}
