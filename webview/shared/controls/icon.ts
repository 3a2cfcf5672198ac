import { html, type TemplateResult } from 'lit';

/** A decorative codicon. The words next to it, or the name of its button, give the meaning. */
export function icon(name: string): TemplateResult {
  return html`<i class="codicon codicon-${name}" aria-hidden="true"></i>`;
}
