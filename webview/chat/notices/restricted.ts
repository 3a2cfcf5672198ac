import { html, type TemplateResult } from 'lit';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';

/** What Restricted Mode turns off, why, and how to leave it. */
export function restrictedNotice(): TemplateResult {
  return html`<p class="restricted" role="status">
    Restricted Mode: no tools, and no rules, references, skills or agents of this folder, since it is not trusted.
    ${linkButton('Trust this folder', posting({ type: 'manageTrust' }))}
  </p>`;
}
