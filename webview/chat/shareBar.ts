import { html, type TemplateResult } from 'lit';
import type { Share } from '../../src/protocol/view.js';

/** The shares as segments of a bar for `whole` tokens. It is decoration: the words are beside it. */
export function shareBar(shares: readonly Share[], whole: number): TemplateResult {
  return html`<div class="share-bar" aria-hidden="true">
    ${shares.map(
      (share) => html`<span class="share ${share.category}" .style=${`width:${(share.tokens / Math.max(whole, 1)) * 100}%`}></span>`,
    )}
  </div>`;
}
