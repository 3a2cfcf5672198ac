import { html, type TemplateResult } from 'lit';
import { splitHidden } from './hidden.js';

/** Renders a text that Loupe did not write. Shows hidden characters as tags. */
export function visibleText(text: string): TemplateResult | string {
  const pieces = splitHidden(text);
  return pieces.some((piece) => 'hidden' in piece)
    ? html`${pieces.map((piece) => ('hidden' in piece ? html`<span class="hidden-character">${piece.hidden}</span>` : piece.text))}`
    : text;
}

/** Returns the DOM nodes of `visibleText`, for DOM that Lit does not render. */
export function visibleNodes(text: string): Node[] {
  return splitHidden(text).map((piece) => {
    if ('text' in piece) {
      return document.createTextNode(piece.text);
    }
    const tag = document.createElement('span');
    tag.className = 'hidden-character';
    tag.textContent = piece.hidden;
    return tag;
  });
}
