import { html, nothing, type TemplateResult } from 'lit';
import type { KeptFacts } from '../../../src/protocol/panel/entries.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';

type FactRestorer = (fact: string) => (event: Event) => void;

/**
 * Shows how many facts of each kind a summary kept. A kind with lost facts opens a list of the lost facts. `onRestore`
 * adds a lost fact to the summary. Null when the user cannot restore facts.
 */
export function keptFacts(
  kinds: readonly KeptFacts[],
  scope: Pick<EntryScope, 'isOpen' | 'toggle'>,
  onRestore: FactRestorer | null,
): TemplateResult {
  return html`<ul class="kept-facts" aria-label="What the summary kept">
    ${kinds.map((kind) => html`<li>${kind.lost.length === 0 ? whole(kind) : partly(kind, scope, onRestore)}</li>`)}
  </ul>`;
}

function whole(kind: KeptFacts): TemplateResult {
  return html`<div class="kept-whole">${icon('check')}<span class="disclosure-label">${label(kind)}</span></div>`;
}

function partly(kind: KeptFacts, scope: Pick<EntryScope, 'isOpen' | 'toggle'>, onBringBack: FactRestorer | null): TemplateResult {
  const part = `kept-${kind.label}`;
  const isOpen = scope.isOpen(part);
  return html`${disclosure(label(kind), isOpen, () => {
    scope.toggle(part);
  })}
  ${isOpen ? lost(kind, onBringBack) : nothing}`;
}

function label(kind: KeptFacts): TemplateResult {
  const { kept, all } = kind;
  return html`${kind.label} kept <span class="figures ${kept === all ? 'all-kept' : ''}">${tokens(kept)} of ${tokens(all)}</span>`;
}

function restoreButton(fact: string, onBringBack: FactRestorer): TemplateResult {
  return html`<button type="button" class="link-button" aria-label=${`Restore ${fact}`} @click=${onBringBack(fact)}>Restore</button>`;
}

/** Lists the facts that the summary lost. The host sends only the first few. */
function lost({ kept, all, lost: facts }: KeptFacts, onBringBack: FactRestorer | null): TemplateResult {
  const more = all - kept - facts.length;
  return html`<ul class="lost-facts" aria-label="Not in the summary">
    ${facts.map((fact) => html`<li><s>${visibleText(fact)}</s> ${onBringBack === null ? nothing : restoreButton(fact, onBringBack)}</li>`)}
    ${more > 0 ? html`<li class="figures">${tokens(more)} more</li>` : nothing}
  </ul>`;
}
