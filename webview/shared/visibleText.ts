import { html, type TemplateResult } from 'lit';
import { splitHidden } from './hidden.js';

/** Renders a text of unknown origin. Shows hidden characters as tags. */
export function visibleText(text: string): TemplateResult | string {
  const pieces = splitHidden(text);
  return pieces.some((piece) => 'hidden' in piece)
    ? html`${pieces.map((piece) => ('hidden' in piece ? html`<span class="hidden-character">${piece.hidden}</span>` : piece.text))}`
    : text;
}

/** Like `visibleText`, for DOM that Lit does not render. Returns the nodes. */
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
