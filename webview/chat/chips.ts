import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type ContextChip, type HiddenChips, MOST_CHIPS, type PanelState } from '../../src/protocol/view.js';
import { iconButton, linkButton } from '../shared/controls.js';
import { posting } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/icon.js';
import { shortTokens, tokens } from '../shared/numbers.js';
import { type SplitPath, splitPaths } from '../shared/paths.js';
import { visibleText } from '../shared/visibleText.js';

/**
 * What this chat carries into each request. A chip opens its item; its warning stands on it. `onToggle` shows all of
 * them, or no longer.
 */
export function contextChips({ context: chips, contextHidden: hidden }: PanelState, chatId: string, onToggle: () => void): TemplateResult {
  if (chips.length === 0) {
    return html``;
  }
  const paths = splitPaths(chips.map((chip) => chip.name));
  return html`<ul class="chips" aria-label="Files in this chat">
    ${repeat(
      chips,
      (chip) => chip.key,
      (chip, index) => oneChip(chip, paths[index] ?? { lead: '', tail: chip.name }, chatId),
    )}
    ${chips.length + hidden.count > MOST_CHIPS ? html`<li>${linkButton(moreLabel(hidden), onToggle)}</li>` : nothing}
  </ul>`;
}

function moreLabel({ count, warnings }: HiddenChips): string {
  const warned = warnings === 0 ? '' : ` (${tokens(warnings)} with a warning)`;
  return count === 0 ? 'Show fewer' : `Show ${tokens(count)} more${warned}`;
}

/** A warning in a word; the sentence is in the tooltip. */
const WARNINGS = { changed: 'changed', missing: 'missing', refused: 'left out' } as const;

function oneChip(chip: ContextChip, path: SplitPath, chatId: string): TemplateResult {
  const name = revealHidden(chip.name);
  const warning = chip.warning === null ? '' : `: ${revealHidden(chip.warning.text)}`;
  return html`<li class="chip ${chip.warning?.kind ?? ''}">
    <button
      type="button"
      class="chip-open"
      title="${name}${warning}"
      @click=${posting({ type: 'openContextItem', chatId, key: chip.key })}
    >
      ${icon(chip.warning === null ? 'file-code' : 'warning')}
      <span class="chip-name"><span class="sr-only">${visibleText(path.lead)}</span>${visibleText(path.tail)}</span>
      ${chip.warning === null ? nothing : html`<span class="chip-warning">${WARNINGS[chip.warning.kind]}</span>`}
      ${chip.tokens === null ? nothing : html`<span class="figures">${shortTokens(chip.tokens)}</span>`}
    </button>
    ${iconButton({ label: `Remove ${name}`, icon: 'close', onClick: posting({ type: 'removeContext', chatId, key: chip.key }) })}
  </li>`;
}
