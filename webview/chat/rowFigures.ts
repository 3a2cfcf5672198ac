import { html, nothing, type TemplateResult } from 'lit';
import { columnPrice, signedTokens } from '../shared/numbers.js';
import type { RowsScope } from './blockRows.js';

/** The tokens of a row of a request and, where they have one, their price. */
export function figures(size: number, { costPerToken }: Pick<RowsScope, 'costPerToken'>): TemplateResult {
  return html`<span class="figures item-tokens">${signedTokens(size)}</span>
    ${costPerToken === null ? nothing : html`<span class="figures row-price">${columnPrice(size * costPerToken, false)}</span>`}`;
}
