import { html, nothing, type TemplateResult } from 'lit';
import type { ContextTotal } from '../../src/protocol/chips.js';
import { linkButton } from '../shared/buttons.js';
import { shortTokens, tokens } from '../shared/numbers.js';

export interface ChipsOptions {
  readonly chatId: string;
  /** Whether each file has its own chip. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onRemoveAll: () => void;
}

/** So few items are counted at a glance. */
const FEW = 4;

/** How much is in the chat, and what concerns all of it. */
export function chipsLine(total: ContextTotal, { isOpen, onToggle, onRemoveAll }: ChipsOptions): TemplateResult | typeof nothing {
  if (total.items <= FEW) {
    return nothing;
  }
  return html`<div class="chips-line">
    <span class="figures">${tokens(total.items)} files · ${shortTokens(total.tokens)}</span>
    ${total.folded === 0 ? nothing : linkButton(isOpen ? 'Show fewer' : moreLabel(total), onToggle)}
    ${linkButton('Remove all', onRemoveAll)}
  </div>`;
}

function moreLabel({ folded, foldedWarnings }: ContextTotal): string {
  return `Show ${tokens(folded)} more${foldedWarnings === 0 ? '' : ` (${tokens(foldedWarnings)} with a warning)`}`;
}
