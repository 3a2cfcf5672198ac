import { html, type TemplateResult } from 'lit';
import type { Share } from '../../../src/protocol/panel/view.js';

/**
 * A request of `total` tokens in a bar for `whole`, with its shares as segments. What they differ from the total is no segment: it
 * is spread over all. It is decoration: the words are beside it.
 */
export function shareBar(shares: readonly Share[], total: number, whole: number): TemplateResult {
  const counted = shares.reduce((sum, share) => sum + share.tokens, 0);
  const filled = (100 * total) / Math.max(whole, 1) / Math.max(counted, 1);
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map((share) => html`<span class="share ${share.category}" .style=${`width:${share.tokens * filled}%`}></span>`)}
  </div>`;
}
