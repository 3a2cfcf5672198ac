import { html, type TemplateResult } from 'lit';
import type { ImageView } from '../../../src/protocol/panel/userEntry.js';
import { icon } from '../../shared/controls/icon.js';
import { fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** Describes an image of a message: type, dimensions and size, as far as known. */
export function imageLine(image: ImageView): TemplateResult {
  return html`${icon('file-media')}<span>${visibleText(imageFacts(image))}</span>`;
}

/** Like `imageLine`, as plain text. */
export function imageFacts({ mimeType, bytes, width, height }: ImageView): string {
  const size = width === null || height === null ? [] : [`${String(width)} × ${String(height)}`];
  const facts = [mimeType, ...size, ...(bytes === null ? [] : [fileSize(bytes)])].join(', ');
  return `Image (${facts})`;
}
