import { html, type TemplateResult } from 'lit';

/** A codicon as decoration: the words beside it, or its button's name, give the meaning. */
export function icon(name: string): TemplateResult {
  return html`<i class="codicon codicon-${name}" aria-hidden="true"></i>`;
}
