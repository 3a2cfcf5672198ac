import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';

/** Describes, in one line each, the parts of the conversation that Loupe changes for this model. */
export function adaptations(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, { name: 'Changes for this model', kind: 'info' });
}

export function warnings(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, { name: 'Warnings', kind: 'warning' });
}

interface SentenceList {
  readonly name: string;
  readonly kind: 'info' | 'warning';
}

function list(sentences: readonly string[], { name, kind }: SentenceList): TemplateResult | typeof nothing {
  return sentences.length === 0
    ? nothing
    : html`<ul class="adaptations ${kind}" aria-label=${name}>
        ${sentences.map((sentence) => html`<li>${icon(kind)}<span>${visibleText(sentence)}</span></li>`)}
      </ul>`;
}
