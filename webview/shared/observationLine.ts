import { html, nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/forecast.js';
import { linkButton } from './controls/buttons.js';
import { icon } from './controls/icon.js';
import { visibleText } from './visibleText.js';

export interface ObservationLinks {
  readonly showRequest: (proof: ObservationView['proofs'][number]) => (event: Event) => void;
  readonly showPrices: (event: Event) => void;
}

/** Shows an observation about a provider. An alarm has a link to the latest request that shows the problem. */
export function observationLine(
  { text, isAlarm, isOfPrices, proofs }: ObservationView,
  { showRequest, showPrices }: ObservationLinks,
): TemplateResult {
  const [latest] = proofs;
  const toProof = !isAlarm || latest === undefined ? nothing : linkButton('Show the request', showRequest(latest));
  const toPrices = isOfPrices ? html` · ${linkButton('Change prices', showPrices)}` : nothing;
  return html`<p class=${isAlarm ? 'observation alarm' : 'observation'}>
    ${icon(isAlarm ? 'warning' : 'pulse')}<span>${visibleText(text)} ${toProof}${toPrices}</span>
  </p>`;
}
