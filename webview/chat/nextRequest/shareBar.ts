import { html, type TemplateResult } from 'lit';
import type { Share } from '../../../src/protocol/panel/view.js';

/**
 * A bar for `whole` tokens, filled by a request of `total` tokens. Its shares are segments, scaled so that they add up
 * to the total. It is decoration: text gives the same figures.
 */
export function shareBar(shares: readonly Share[], total: number, whole: number): TemplateResult {
  const counted = shares.reduce((sum, share) => sum + share.tokens, 0);
  const filled = (100 * total) / Math.max(whole, 1) / Math.max(counted, 1);
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map((share) => html`<span class="share ${share.category}" .style=${`width:${share.tokens * filled}%`}></span>`)}
  </div>`;
}
