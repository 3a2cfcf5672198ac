import { html, nothing, type TemplateResult } from 'lit';
import type { ImageView } from '../../../src/protocol/panel/entries.js';
import { countedAs } from '../../shared/numbers.js';

/** Maximum number of images that the panel shows before a click. */
export const MOST_THUMBNAILS = 4;

interface Thumbnails {
  readonly chatId: string;
  readonly images: readonly ImageView[];
  /** Number of hidden images. A click on it calls `onMore`. */
  readonly more: number;
  readonly onMore: (() => void) | null;
}

/** Shows images side by side. */
export function thumbnails(
  { chatId, images, more, onMore }: Thumbnails,
  style: 'user-images' | 'reply-images' | 'tool-images',
): TemplateResult | typeof nothing {
  return images.length === 0 && more === 0
    ? nothing
    : html`<div class="${style} thumbnails">
        ${images.map((image) => html`<loupe-image .chatId=${chatId} .image=${image}></loupe-image>`)}
        ${more === 0 ? nothing : html`<button type="button" class="image-frame more" aria-label="Show ${countedAs(more, 'more image', 'more images')}" @click=${onMore}>+${more}</button>`}
      </div>`;
}
