import { html, nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/observation.js';
import { linkButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** What the cache of the request's model was found to do; with a way to the latest proof where it no longer does what it did. */
export function observationLine(
  view: ObservationView | null,
  show: (chatId: string, attemptId: string) => void,
): TemplateResult | typeof nothing {
  if (view === null) {
    return nothing;
  }
  const { text, isAlarm, proofs } = view;
  const [latest] = proofs;
  const toProof =
    !isAlarm || latest === undefined
      ? nothing
      : linkButton('Show the request', () => {
          show(latest.chatId, latest.attemptId);
        });
  return html`<p class=${isAlarm ? 'observation alarm' : 'observation'}>
    ${icon(isAlarm ? 'warning' : 'pulse')}<span>${visibleText(text)} ${toProof}</span>
  </p>`;
}
