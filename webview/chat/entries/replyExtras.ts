import { html, nothing, type TemplateResult } from 'lit';
import type { ExtraView } from '../../../src/protocol/view.js';
import { fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** Sources and images that came beside a reply. Nothing of them is fetched; a source opens in the browser when it is clicked. */
export function replyExtras(extras: readonly ExtraView[]): TemplateResult | typeof nothing {
  return extras.length === 0
    ? nothing
    : html`<ul class="reply-extras" aria-label="Came with the reply">
        ${extras.map((extra) => html`<li>${extraLine(extra)}</li>`)}
      </ul>`;
}

function extraLine(extra: ExtraView): TemplateResult {
  if (extra.type === 'image') {
    return html`Image (${visibleText(extra.mimeType)}, ${fileSize(extra.bytes)}), kept with the chat and not shown here`;
  }
  const { url, title } = extra;
  const words = visibleText(title === '' ? url : title);
  return html`Source: ${/^https?:\/\//i.test(url) ? html`<a href=${url} title=${url}>${words}</a>` : words}`;
}
