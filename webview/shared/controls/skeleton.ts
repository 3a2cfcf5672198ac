import { html, nothing, type TemplateResult } from 'lit';

/** Shows "Loading" in a line that already exists, so that the layout stays. Hidden by CSS for the first 300 ms. */
export function loading(isWaiting: boolean): TemplateResult | typeof nothing {
  return isWaiting ? html`<span class="skeleton">Loading</span>` : nothing;
}

/** Placeholder bars for content that is loading. CSS hides the bars for the first 300 ms. */
export function skeletonRows(): TemplateResult {
  return html`<div class="skeleton rows" role="status" aria-label="Loading">
    ${[70, 90, 55].map((width) => html`<span .style=${`width:${width}%`}></span>`)}
  </div>`;
}
