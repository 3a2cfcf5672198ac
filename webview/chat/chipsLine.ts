import { html, nothing, type TemplateResult } from 'lit';
import type { ContextChip, ContextTotal } from '../../src/protocol/chips.js';
import { linkButton } from '../shared/buttons.js';
import { shortTokens, tokens } from '../shared/numbers.js';

export interface ChipsOptions {
  readonly chatId: string;
  /** Whether each file has its own chip. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onManage: () => void;
  readonly onRemoveAll: () => void;
}

/** So few items are counted at a glance. */
const FEW = 4;

/** How much is in the chat, and what concerns all of it. */
export function chipsLine(
  chips: readonly ContextChip[],
  total: ContextTotal,
  { isOpen, onToggle, onManage, onRemoveAll }: ChipsOptions,
): TemplateResult | typeof nothing {
  if (total.items <= FEW) {
    return nothing;
  }
  return html`<div class="chips-line">
    <span class="figures">${tokens(total.items)} ${total.files === total.items ? 'files' : 'items'} · ${shortTokens(total.tokens)}</span>
    ${total.folded === 0 ? nothing : linkButton(isOpen ? 'Show fewer' : moreLabel(chips, total), onToggle)}
    ${linkButton('Manage', onManage)} ${linkButton('Remove all', onRemoveAll)}
  </div>`;
}

/** Names the folder where all that has no chip is in it. */
function moreLabel(chips: readonly ContextChip[], { folded, foldedWarnings }: ContextTotal): string {
  const [folder, ...others] = chips.filter(({ files }) => files !== null);
  if (folder?.files === folded && others.length === 0) {
    return `Show the ${tokens(folded)} files of ${folder.name}`;
  }
  return `Show ${tokens(folded)} more${foldedWarnings === 0 ? '' : ` (${tokens(foldedWarnings)} with a warning)`}`;
}
