import { html, type TemplateResult } from 'lit';
import type { BlockView, SizeBasis } from '../../src/protocol/view.js';
import { tokens, tokensWithUnit } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { CATEGORY_NAMES } from './categories.js';
import { fileLink } from './fileLink.js';

export interface RequestRows {
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}

/** A request as rows: each part with its tokens, the framing of the wire format, and the total. A file's row opens the file. */
export function blockRows(request: RequestRows, chatId: string): TemplateResult {
  return html`<ul class="block-rows" aria-label="Blocks">
      ${request.blocks.map((block) => row(block.category, block.tokens, name(block, chatId)))}
      ${request.framingTokens > 0 ? row('framing', request.framingTokens, CATEGORY_NAMES.framing) : ''}
    </ul>
    <div class="block-total figures">
      <span>Total</span><span>${tokensWithUnit(request.totalTokens, request.basis)}</span>
    </div>`;
}

function name({ file, label, count }: BlockView, chatId: string): TemplateResult {
  return file === null ? html`${visibleText(label)}${times(count)}` : fileLink({ chatId, key: file, path: label, note: '' });
}

function row(category: BlockView['category'] | 'framing', count: number, label: TemplateResult | string): TemplateResult {
  return html`<li title=${CATEGORY_NAMES[category]}>
    <span class="swatch ${category}" aria-hidden="true"></span>
    <span class="row-label">${label}</span>
    <span class="figures">${tokens(count)}</span>
  </li>`;
}

function times(count: number): TemplateResult | string {
  return count > 1 ? html`<span class="figures"> × ${tokens(count)}</span>` : '';
}
