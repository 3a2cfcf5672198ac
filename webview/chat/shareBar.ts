import { html, type TemplateResult } from 'lit';
import type { Share } from '../../src/protocol/view.js';
import { CATEGORY_NAMES } from './categories.js';
import { shortTokens } from '../shared/numbers.js';

/** The shares as segments of a bar for `whole` tokens. It is decoration: the words are beside it. */
export function shareBar(shares: readonly Share[], whole: number): TemplateResult {
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map(
      (share) => html`<span class="share ${share.category}" .style=${`width:${(share.tokens / Math.max(whole, 1)) * 100}%`}></span>`,
    )}
  </div>`;
}

/** The meaning of the bar's colours, with the tokens of each. */
export function shareLegend(shares: readonly Share[]): TemplateResult {
  return html`<ul class="share-legend" aria-label="Shares">
    ${shares.map(
      (share) =>
        html`<li>
            <span class="swatch ${share.category}" aria-hidden="true"></span>${CATEGORY_NAMES[share.category]}
            ${shortTokens(share.tokens)}
          </li>`,
    )}
  </ul>`;
}
