import { html, nothing, type TemplateResult } from 'lit';

/** A word on a line that is there already, so that nothing moves; the style sheet keeps it hidden for the first 300 ms. */
export function loading(isWaiting: boolean): TemplateResult | typeof nothing {
  return isWaiting ? html`<span class="skeleton">Loading</span>` : nothing;
}

/** Bars in place of what is being read; the style sheet keeps them hidden for the first 300 ms. */
export function skeletonRows(): TemplateResult {
  return html`<div class="skeleton rows" role="status" aria-label="Loading">
    ${[70, 90, 55].map((width) => html`<span .style=${`width:${width}%`}></span>`)}
  </div>`;
}
