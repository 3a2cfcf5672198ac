import { html, type TemplateResult } from 'lit';
import type { ImageView } from '../../src/protocol/userEntry.js';
import { icon } from '../shared/icon.js';
import { fileSize } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';

/** An image of a message in words, as far as its size is known. */
export function imageLine({ mimeType, bytes, width, height }: ImageView): TemplateResult {
  const size = width === null || height === null ? [] : [`${String(width)} × ${String(height)}`];
  const facts = [mimeType, ...size, ...(bytes === null ? [] : [fileSize(bytes)])].join(', ');
  return html`${icon('file-media')}<span>Image (${visibleText(facts)})</span>`;
}
