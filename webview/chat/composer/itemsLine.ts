import { html, nothing, type TemplateResult } from 'lit';
import type { ChipKind, ContextChip, ContextTotal, ToolTotal } from '../../../src/protocol/panel/composer.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, shortTokens, tokens } from '../../shared/numbers.js';

/** With more items than this, the unfolded line offers to remove all. Users see up to four items at a glance. */
const FEW = 4;

const KINDS: Readonly<Record<ChipKind, string>> = {
  rule: 'rule',
  reference: 'reference',
  skill: 'skill',
  file: 'file',
  page: 'web page',
  repository: 'repository map',
};

/** Kinds in front of the tools: what the user wrote for the model. */
const BEFORE_TOOLS: ReadonlySet<ChipKind> = new Set(['rule', 'reference', 'skill']);

export interface ItemsLineOptions {
  /** Whether all chips are visible, instead of only chips with a warning. */
  readonly isUnfolded: boolean;
  readonly onFold: () => void;
  /** Whether each file has its own chip, instead of one chip for a folder. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onManage: () => void;
  readonly onRemoveAll: () => void;
}

/** The line with the kinds of items. A click shows or hides the chips. */
export function itemsLine(total: ContextTotal, { isUnfolded, onFold, onManage }: ItemsLineOptions): TemplateResult {
  const kinds = kindsInWords(total);
  return html`<div class="items-line">
    <button type="button" class="disclosure" aria-expanded=${isUnfolded} aria-label="Items of this chat: ${kinds.join(', ')}" title=${sizeInWords(total)} @click=${onFold}>
      ${icon(isUnfolded ? 'chevron-down' : 'chevron-right')}<span class="items-kinds">${kinds.join(' · ')}</span>
    </button>
    ${iconButton({ label: 'Manage context', icon: 'list-selection', onClick: onManage })}
  </div>`;
}

/** In a low panel, replaces the line with the kinds of items. */
export function itemsButton(total: ContextTotal, { isUnfolded, onFold }: Pick<ItemsLineOptions, 'isUnfolded' | 'onFold'>): TemplateResult {
  const words = counted(itemCount(total), 'item');
  return html`<button type="button" class="link-button figures items-button" aria-expanded=${isUnfolded} aria-label="Items of this chat: ${words}" title=${kindsInWords(total).join('\n')} @click=${onFold}>${words}</button>`;
}

/** The actions on many unfolded items. A low panel has no line of kinds, so it shows the way to all items here. */
export function chipsLine(chips: readonly ContextChip[], total: ContextTotal, options: ItemsLineOptions): TemplateResult | typeof nothing {
  const { isUnfolded, isOpen, onToggle, onManage, onRemoveAll } = options;
  const isMany = isUnfolded && total.items > FEW;
  const hasMore = isUnfolded ? total.folded > 0 : total.foldedWarnings > 0;
  if (!isUnfolded && !hasMore) {
    return nothing;
  }
  return html`<div class="chips-line ${isMany || hasMore ? '' : 'few'}">
    ${isMany ? html`<span class="figures">${shortTokens(total.tokens)} tokens</span>` : nothing}
    ${hasMore ? linkButton(isOpen ? 'Show fewer' : moreLabel(chips, total, isUnfolded), onToggle) : nothing}
    ${isUnfolded ? html`<span class="chips-manage">${linkButton('Manage context', onManage)}</span>` : nothing}
    ${isMany ? linkButton('Remove all', onRemoveAll) : nothing}
  </div>`;
}

function itemCount({ items, tools, toolsNotOffered }: ContextTotal): number {
  return items + tools + toolsNotOffered;
}

function kindsInWords({ kinds, ...total }: ContextTotal): readonly string[] {
  const named = (isBefore: boolean): readonly string[] =>
    kinds.flatMap(([kind, count]) => (BEFORE_TOOLS.has(kind) === isBefore ? [counted(count, KINDS[kind])] : []));
  return [...named(true), ...toolsInWords(total), ...named(false)];
}

function toolsInWords(total: ToolTotal): readonly string[] {
  const { tools, toolsNotOffered } = total;
  return tools + toolsNotOffered === 0 ? [] : [`${toolsLabel(total)}${tools === 0 ? ' not offered' : ''}`];
}

/** Returns `31 tools`, or `5 of 31 tools` when the model does not accept all of them. */
export function toolsLabel({ tools, toolsNotOffered }: ToolTotal): string {
  const all = counted(tools + toolsNotOffered, 'tool');
  return tools > 0 && toolsNotOffered > 0 ? `${tokens(tools)} of ${all}` : all;
}

function sizeInWords({ items, tokens: size }: ContextTotal): string {
  return items === 0 ? 'The tools of this chat' : `${counted(items, 'item')} with ${counted(size, 'token')}`;
}

/**
 * Returns the label of the button that shows hidden items. Names the folder when one folder contains all of them. In
 * the folded line, only items with a warning are visible.
 */
function moreLabel(chips: readonly ContextChip[], { folded, foldedWarnings }: ContextTotal, isUnfolded: boolean): string {
  if (!isUnfolded) {
    return `Show ${tokens(foldedWarnings)} more`;
  }
  const [folder, ...others] = chips.filter(({ files }) => files !== null);
  if (folder?.files === folded && others.length === 0) {
    return `Show the ${tokens(folded)} files of ${folder.name}`;
  }
  return `Show ${tokens(folded)} more${foldedWarnings === 0 ? '' : ` (${tokens(foldedWarnings)} with a warning)`}`;
}
