import { html, type TemplateResult } from 'lit';

/** A codicon as decoration: what it means is said by the words beside it or by its button's name. */
export function icon(name: string): TemplateResult {
  return html`<i class="codicon codicon-${name}" aria-hidden="true"></i>`;
}
