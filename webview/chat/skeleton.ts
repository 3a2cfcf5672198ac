import { html, type TemplateResult } from 'lit';

/** Bars in place of what is being read; the style sheet keeps them hidden for the first 300 ms. */
export function skeletonRows(): TemplateResult {
  return html`<div class="skeleton rows" role="status" aria-label="Loading">
    ${[70, 90, 55].map((width) => html`<span .style=${`width:${width}%`}></span>`)}
  </div>`;
}
