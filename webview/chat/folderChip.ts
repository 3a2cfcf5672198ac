import { html, type TemplateResult } from 'lit';
import type { ContextChip } from '../../src/protocol/chips.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/icon.js';
import { shortTokens, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import type { ChipsOptions } from './chipsLine.js';

export function filesOf(count: number): string {
  return `${tokens(count)} files`;
}

/** The button of the chip for the files of a folder. It opens the chips of all files. */
export function folder(chip: ContextChip & { readonly files: number }, { onToggle }: ChipsOptions): TemplateResult {
  const files = filesOf(chip.files);
  return html`<button
    type="button"
    class="chip-open"
    title="${revealHidden(chip.name)}: ${files}"
    data-key=${chip.key}
    aria-expanded="false"
    aria-keyshortcuts="Delete"
    @click=${onToggle}
  >
    ${icon('folder')}
    <span class="chip-name">${visibleText(chip.name)}</span>
    <span class="figures">${files} · ${shortTokens(chip.tokens ?? 0)}</span>
  </button>`;
}
