import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ContextChip } from '../../src/protocol/view.js';
import { iconButton } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/icon.js';
import { shortTokens } from '../shared/numbers.js';
import { type SplitPath, splitPaths } from '../shared/paths.js';
import { visibleText } from '../shared/visibleText.js';

/** What this chat carries into each request. A chip opens its item; its warning stands on it. */
export function contextChips(chips: readonly ContextChip[], chatId: string, from: EventTarget): TemplateResult {
  if (chips.length === 0) {
    return html``;
  }
  const paths = splitPaths(chips.map((chip) => chip.name));
  return html`<ul class="chips" aria-label="Files in this chat">
    ${repeat(
      chips,
      (chip) => chip.key,
      (chip, index) => oneChip(chip, paths[index] ?? { lead: '', tail: chip.name }, { chatId, from }),
    )}
  </ul>`;
}

/** A warning in a word; the sentence is in the tooltip. */
const WARNINGS = { changed: 'changed', missing: 'missing', refused: 'left out' } as const;

function oneChip(chip: ContextChip, path: SplitPath, at: { chatId: string; from: EventTarget }): TemplateResult {
  const name = revealHidden(chip.name);
  const warning = chip.warning === null ? '' : `: ${revealHidden(chip.warning.text)}`;
  return html`<li class="chip ${chip.warning?.kind ?? ''}">
    <button
      type="button"
      class="chip-open"
      title="${name}${warning}"
      @click=${() => {
        post(at.from, { type: 'openContextItem', chatId: at.chatId, key: chip.key });
      }}
    >
      ${icon(chip.warning === null ? 'file-code' : 'warning')}
      <span class="chip-name"><span class="sr-only">${visibleText(path.lead)}</span>${visibleText(path.tail)}</span>
      ${chip.warning === null ? nothing : html`<span class="chip-warning">${WARNINGS[chip.warning.kind]}</span>`}
      ${chip.tokens === null ? nothing : html`<span class="figures">${shortTokens(chip.tokens)}</span>`}
    </button>
    ${iconButton({
      label: `Remove ${name}`,
      icon: 'close',
      onClick: () => {
        post(at.from, { type: 'removeContext', chatId: at.chatId, key: chip.key });
      },
    })}
  </li>`;
}
