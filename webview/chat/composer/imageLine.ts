import { html, type TemplateResult } from 'lit';
import type { ImageView } from '../../../src/protocol/panel/userEntry.js';
import { icon } from '../../shared/controls/icon.js';
import { fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** An image of a message in words, as far as its size is known. */
export function imageLine(image: ImageView): TemplateResult {
  return html`${icon('file-media')}<span>${visibleText(imageFacts(image))}</span>`;
}

/** The same as plain text. */
export function imageFacts({ mimeType, bytes, width, height }: ImageView): string {
  const size = width === null || height === null ? [] : [`${String(width)} × ${String(height)}`];
  const facts = [mimeType, ...size, ...(bytes === null ? [] : [fileSize(bytes)])].join(', ');
  return `Image (${facts})`;
}
