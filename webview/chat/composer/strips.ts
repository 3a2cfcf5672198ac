import { html, type TemplateResult } from 'lit';
import { icon } from '../../shared/controls/icon.js';

export function editStrip(onCancel: () => void): TemplateResult {
  return html`<div class="strip" role="status">
    ${icon('edit')}<span>Editing. Sending replaces everything after this message (you can restore it).</span>
    <button type="button" class="link-button" @click=${onCancel}>Cancel</button>
  </div>`;
}

export function shortenedStrip(onRestore: () => void): TemplateResult {
  return html`<div class="strip" role="status">
    ${icon('edit')}<span>The model has shortened your message. Read it before you send it.</span>
    <button type="button" class="link-button" @click=${onRestore}>Restore my text</button>
  </div>`;
}

export function refusedStrip(): TemplateResult {
  return html`<div class="strip refused">${icon('info')}<span>Not sent. See <em>Next request</em> for the reason.</span></div>`;
}

export function elsewhereStrip(): TemplateResult {
  return html`<div class="strip" role="status">
    ${icon('multiple-windows')}<span>The model is writing a reply in another window. Loupe sends your message after the reply.</span>
  </div>`;
}
