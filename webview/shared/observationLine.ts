import { html, nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/observation.js';
import { linkButton } from './buttons.js';
import { icon } from './icon.js';
import { visibleText } from './visibleText.js';

type Proof = ObservationView['proofs'][number];

/** What a cache was found to do; where it no longer does what it did, with a way to the latest request that proves it. */
export function observationLine(
  { text, isAlarm, proofs }: ObservationView,
  showing: (proof: Proof) => (event: Event) => void,
): TemplateResult {
  const [latest] = proofs;
  const toProof = !isAlarm || latest === undefined ? nothing : linkButton('Show the request', showing(latest));
  return html`<p class=${isAlarm ? 'observation alarm' : 'observation'}>
    ${icon(isAlarm ? 'warning' : 'pulse')}<span>${visibleText(text)} ${toProof}</span>
  </p>`;
}
