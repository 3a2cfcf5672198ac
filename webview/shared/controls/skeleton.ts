import { html, nothing, type TemplateResult } from 'lit';

/** "Loading" in an existing line, so that the layout does not move. The style sheet hides it for the first 300 ms. */
export function loading(isWaiting: boolean): TemplateResult | typeof nothing {
  return isWaiting ? html`<span class="skeleton">Loading</span>` : nothing;
}

/** Placeholder bars while content loads. The style sheet hides them for the first 300 ms. */
export function skeletonRows(): TemplateResult {
  return html`<div class="skeleton rows" role="status" aria-label="Loading">
    ${[70, 90, 55].map((width) => html`<span .style=${`width:${width}%`}></span>`)}
  </div>`;
}
