import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** One line for each part of the conversation that this model gets in another form. */
export function adaptations(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, { name: 'Adapted to the model', kind: 'info' });
}

/** One line for each file that a request has no room for, or not for all of it. */
export function noRoomWarnings(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, { name: 'No room', kind: 'warning' });
}

interface List {
  readonly name: string;
  readonly kind: 'info' | 'warning';
}

function list(sentences: readonly string[], { name, kind }: List): TemplateResult | typeof nothing {
  return sentences.length === 0
    ? nothing
    : html`<ul class="adaptations ${kind}" aria-label=${name}>
        ${sentences.map((sentence) => html`<li>${icon(kind)}<span>${visibleText(sentence)}</span></li>`)}
      </ul>`;
}
