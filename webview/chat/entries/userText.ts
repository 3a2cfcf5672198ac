import { html, type TemplateResult } from 'lit';
import { visibleText } from '../../shared/visibleText.js';

const CODE = /(`[^`\n]+`)/;

/**
 * The user's text as it was typed. It is no Markdown: only code between backticks is set as code, since that is
 * how people write names; everything else keeps its lines and its characters.
 */
export function userText(text: string): TemplateResult {
  return html`${text.split(CODE).map((piece, index) =>
    // split() puts what the group matched at the odd places.
    index % 2 === 1 ? html`<code>${visibleText(piece.slice(1, -1))}</code>` : visibleText(piece),
  )}`;
}
