import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon.js';

/** One line for each part of the conversation that this model gets in another form. */
export function adaptations(sentences: readonly string[]): TemplateResult | typeof nothing {
  return sentences.length === 0
    ? nothing
    : html`<ul class="adaptations" aria-label="Adapted to the model">
        ${sentences.map((sentence) => html`<li>${icon('info')}<span>${sentence}</span></li>`)}
      </ul>`;
}
