import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** One line for each part of the conversation that this model gets in another form. */
export function adaptations(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, 'Adapted to the model', 'info');
}

/** One line for each file that a request has no room for, or not for all of it. */
export function noRoomWarnings(sentences: readonly string[]): TemplateResult | typeof nothing {
  return list(sentences, 'No room', 'warning');
}

function list(sentences: readonly string[], name: string, symbol: string): TemplateResult | typeof nothing {
  return sentences.length === 0
    ? nothing
    : html`<ul class="adaptations" aria-label=${name}>
        ${sentences.map((sentence) => html`<li>${icon(symbol)}<span>${visibleText(sentence)}</span></li>`)}
      </ul>`;
}
