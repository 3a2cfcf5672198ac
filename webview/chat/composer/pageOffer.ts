import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../shared/controls/icon.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { visibleText } from '../../shared/visibleText.js';

/** Returns the address of a web page that the user pastes. Undefined for other content. */
export function pastedAddress({ clipboardData }: ClipboardEvent): string | undefined {
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** Offers to add the page of a pasted address, as long as the message contains the address. */
export function pageOffer(address: string | undefined, text: string, onAdd: () => void): TemplateResult | typeof nothing {
  if (address === undefined || !text.includes(address)) {
    return nothing;
  }
  const { host } = new URL(address);
  return html`<div class="strip" role="status">
    ${icon('globe')}<span>The model sees only the address of ${visibleText(host)}.</span>
    ${linkButton('Add this page', onAdd)}
  </div>`;
}
