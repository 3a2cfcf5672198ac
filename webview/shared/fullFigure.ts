import { html, type TemplateResult } from 'lit';

/** A figure that a narrow panel shows shorter: `51.2k`. Screen readers read the whole figure. */
export function fullFigure(full: string | TemplateResult, short: string): TemplateResult {
  return html`<span class="full-figure" data-short=${short}><span>${full}</span></span>`;
}
