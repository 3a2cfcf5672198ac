import { type TemplateResult, html, nothing } from 'lit';
import { type CacheParts, sumOfCacheParts } from '../../../src/protocol/forecast.js';
import { basisMark, signedTokens } from '../../shared/numbers.js';
import type { RowsScope } from './blockRows.js';
import { cacheMark, miniCacheBar } from './forecast.js';
import type { BlockView } from '../../../src/protocol/panel/requestRows.js';

/** The tokens of a part of a request, and the expected cache state of these tokens. `cache` is null when unknown. */
export interface RowSize {
  readonly tokens: number;
  readonly cache: CacheParts | null;
}

type FigureScope = Pick<RowsScope, 'prices' | 'basis'>;

/** Shows the tokens of a row, their expected cache state, and the price if known. */
export function figures(size: RowSize, scope: FigureScope): TemplateResult {
  return html`${cacheMark(size.cache)} ${sizeAndPrice(size, scope)}`;
}

export function groupFigures(size: RowSize, scope: FigureScope): TemplateResult {
  return html`${miniCacheBar(size.cache)} ${sizeAndPrice(size, scope)}`;
}

function sizeAndPrice({ tokens, cache }: RowSize, { prices, basis }: FigureScope): TemplateResult {
  return html`<span class="figures item-tokens">${basisMark(basis)}${signedTokens(tokens)}</span>
    ${prices === null ? nothing : html`<span class="figures row-price">${prices(tokens, cache)}</span>`}`;
}

export function sizeOf(blocks: readonly BlockView[]): RowSize {
  return { tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0), cache: sumOfCacheParts(blocks.map(({ cache }) => cache)) };
}
