import { html, nothing, type TemplateResult } from 'lit';
import { CORRECTION, CORRECTION_REASON } from '../../../src/protocol/correction.js';
import { heldMode, type BlockView, type Category } from '../../../src/protocol/panel/requestRows.js';
import type { SizeBasis } from '../../../src/protocol/panel/entries.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { basisMark, basisPrice, columnPrice, counted, signedTokens, tokens, tokensWithUnit } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { CATEGORY_NAMES } from './categories.js';
import { fileLink } from './fileLink.js';
import type { PriceWords } from './prices.js';
import { includeModePill, includeModeWords } from './includeMode.js';

export interface RequestRows {
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  /** Tokens of the request that belong to no part: the size of the request minus the sum of its parts. */
  readonly difference: number;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}

/** The chat that the rows belong to, and which groups of rows are open. */
export interface RowsScope {
  readonly chatId: string;
  /** Whether the rows have switches to add and remove items. True for the next request. */
  readonly hasSwitches: boolean;
  /** Returns the price of a part. Null for rows without prices. */
  readonly prices: PriceWords | null;
  /** How the tokens of the rows were counted. */
  readonly basis: SizeBasis;
  isOpen(group: string): boolean;
  toggle(group: string): void;
}

/** A group with more rows than this is closed by default. */
export const FEW_ROWS = 8;

/** The rows of a request: its parts with tokens, the framing of the wire format, and the total. */
export function blockRows(request: RequestRows, scope: RowsScope): TemplateResult {
  return html`${blockList(request, scope)} ${blockTotal(request, null)}`;
}

/**
 * Lists the parts of a request with their tokens, the framing of the wire format, and the difference from the size of
 * the request. A click on the row of a file opens the file.
 */
function blockList(request: RequestRows, scope: RowsScope): TemplateResult {
  const categories = [...new Set(request.blocks.map(({ category }) => category))];
  return html`<ul class="block-rows" aria-label="Blocks">
      ${categories.map((one) =>
        group(
          one,
          request.blocks.filter(({ category }) => category === one),
          scope,
        ),
      )}
      ${request.framingTokens > 0 ? row('framing', request.framingTokens, { label: CATEGORY_NAMES.framing, basis: scope.basis }) : ''}
      ${request.difference === 0 ? '' : row('difference', request.difference, { label: CORRECTION, basis: scope.basis })}
    </ul>`;
}

/** Returns the size of a request minus its parts. Not 0 if Loupe corrected the size, or if the provider counted it. */
export function differenceIn({ blocks, framingTokens }: Pick<RequestRows, 'blocks' | 'framingTokens'>, totalTokens: number): number {
  return blocks.reduce((rest, block) => rest - block.tokens, totalTokens - framingTokens);
}

/** The row with the sum. `cost` is null for rows without prices. */
export function blockTotal({ totalTokens, basis }: Pick<RequestRows, 'totalTokens' | 'basis'>, cost: number | null): TemplateResult {
  return html`<div class="block-total figures">
    <span class="row-label">Total</span><span>${tokensWithUnit(totalTokens, basis)}</span>
    ${cost === null ? nothing : html`<span class="row-price">${basisPrice(columnPrice(cost, false), basis)}</span>`}
  </div>`;
}

function group(category: Category, blocks: readonly BlockView[], scope: RowsScope): TemplateResult {
  const rows = blocks.map((block) => row(category, block.tokens, { label: name(block, scope), basis: scope.basis }));
  if (blocks.length <= FEW_ROWS) {
    return html`${rows}`;
  }
  const isOpen = scope.isOpen(category);
  const sum = blocks.reduce((all, block) => all + block.tokens, 0);
  const head = disclosure(rowsHead(CATEGORY_NAMES[category], countOf(blocks)), isOpen, () => {
    scope.toggle(category);
  });
  return html`${row(category, sum, { label: head, basis: scope.basis })}${isOpen ? rows : nothing}`;
}

/** Returns the number of files, or of parts when there are no files. Texts around files do not count. */
function countOf(blocks: readonly BlockView[]): number {
  const files = blocks.filter(({ file }) => file !== null).length;
  return files === 0 ? blocks.length : files;
}

/** The title of a group with a count, for example of its files: `Files 200`. */
export function rowsHead(title: string, count: number): TemplateResult {
  return html`${title} <span class="figures">${tokens(count)}</span>`;
}

interface ClosedGroup {
  readonly name: string;
  /** The name of the group in `RowsScope`, which stores whether the group is open. */
  readonly key: string;
  readonly count: number;
  readonly figures: TemplateResult | typeof nothing;
  readonly rows: () => TemplateResult;
}

/** A group of rows that is closed by default. Nothing for an empty group. */
export function closedGroup({ name: title, key, count, figures, rows }: ClosedGroup, scope: RowsScope): TemplateResult | typeof nothing {
  if (count === 0) {
    return nothing;
  }
  const isOpen = scope.isOpen(key);
  const head = disclosure(rowsHead(title, count), isOpen, () => {
    scope.toggle(key);
  });
  return html`<div role="group" aria-label="${title} (${count})" class="context-group">
    <div class="group-head">${head}${figures}</div>
    ${isOpen ? rows() : nothing}
  </div>`;
}

/** Says how many rows of a list are not visible. */
export function moreRows(count: number, singular: string): TemplateResult | typeof nothing {
  return count > 0 ? html`<p class="none">${counted(count, singular)}</p>` : nothing;
}

/** The name of a part. Shows the include mode except for files, because users add most files themselves. */
function name({ file, label, count, category, includeMode, score }: BlockView, { chatId }: RowsScope): TemplateResult {
  if (file === null) {
    return html`${visibleText(label)}${times(count)}`;
  }
  if (category === 'files' || includeMode === null) {
    return fileLink({ chatId, key: file, path: label, hasFolders: true, note: '', isTabStop: true });
  }
  const mode = heldMode(includeMode, score);
  const note = ` [${includeModeWords(mode, score)}]`;
  return html`${fileLink({ chatId, key: file, path: label, hasFolders: true, note, isTabStop: true })}${includeModePill(mode, score, null)}`;
}

interface RowWords extends Pick<RowsScope, 'basis'> {
  readonly label: TemplateResult | string;
}

/** A row in the colour of its category in the bar. The difference has no colour, because it is not in the bar. */
function row(category: Category | 'framing' | 'difference', count: number, { label, basis }: RowWords): TemplateResult {
  return html`<li class=${category} title=${category === 'difference' ? CORRECTION_REASON : CATEGORY_NAMES[category]}>
    <span class="row-mark"><span class="swatch ${category}" aria-hidden="true"></span></span>
    <span class="row-label">${label}</span>
    <span class="figures">${basisMark(basis)}${signedTokens(count)}</span>
  </li>`;
}

/** Returns the number of parts that a row sums up, such as ` × 2`. Empty for one part. */
export function times(count: number): TemplateResult | string {
  return count > 1 ? html`<span class="figures"> × ${tokens(count)}</span>` : '';
}
