import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon.js';

/** What a model gets in another form than it was said, a line each. */
export function adaptations(sentences: readonly string[]): TemplateResult | typeof nothing {
  return sentences.length === 0
    ? nothing
    : html`<ul class="adaptations" aria-label="Adapted to the model">
        ${sentences.map((sentence) => html`<li>${icon('info')}<span>${sentence}</span></li>`)}
      </ul>`;
}
