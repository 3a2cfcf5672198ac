import { html, nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/observation.js';
import { linkButton } from '../shared/buttons.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** What the cache was found to do: quiet, and only where one looks for it, unless it no longer does what it did. */
export function observation(view: ObservationView | null, isOpen: boolean): TemplateResult | typeof nothing {
  if (view === null || !(isOpen || view.isAlarm)) {
    return nothing;
  }
  const { text, isAlarm, proofs } = view;
  return html`<p class="rewritten observation">
    ${icon(isAlarm ? 'warning' : 'info')}<span>${visibleText(text)} ${isAlarm ? latestProof(proofs) : nothing}</span>
  </p>`;
}

function latestProof([latest]: ObservationView['proofs']): TemplateResult | typeof nothing {
  return latest === undefined
    ? nothing
    : linkButton('Show the request', posting({ type: 'showRequest', chatId: latest.chatId, messageId: latest.attemptId }));
}
