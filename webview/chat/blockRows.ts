import { html, type TemplateResult } from 'lit';
import type { BlockView, SizeBasis } from '../../src/protocol/view.js';
import { tokens, tokensWithUnit } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { CATEGORY_NAMES } from './categories.js';

export interface RequestRows {
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}

/** All of a request as rows: what each part is and its tokens, what the wire format adds, and the total. */
export function blockRows(request: RequestRows): TemplateResult {
  return html`<ul class="block-rows" aria-label="Blocks">
      ${request.blocks.map((block) => row(block.category, block.tokens, [visibleText(block.label), times(block.count)]))}
      ${request.framingTokens > 0 ? row('framing', request.framingTokens, [CATEGORY_NAMES.framing]) : ''}
    </ul>
    <div class="block-total figures">
      <span>Total</span><span>${tokensWithUnit(request.totalTokens, request.basis)}</span>
    </div>`;
}

function row(category: BlockView['category'] | 'framing', count: number, label: readonly unknown[]): TemplateResult {
  return html`<li title=${CATEGORY_NAMES[category]}>
    <span class="swatch ${category}" aria-hidden="true"></span>
    <span class="row-label">${label}</span>
    <span class="figures">${tokens(count)}</span>
  </li>`;
}

function times(count: number): TemplateResult | string {
  return count > 1 ? html`<span class="figures"> × ${tokens(count)}</span>` : '';
}
