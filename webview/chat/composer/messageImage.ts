import { type TemplateResult, html } from 'lit';
import { type DrawableType, type ImageResponse, drawableType } from '../../../src/protocol/images.js';
import type { ImageView } from '../../../src/protocol/panel/userEntry.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { icon } from '../../shared/controls/icon.js';
import { fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** Maximum size of the small picture, in pixels. */
const WIDEST = 240;
const HIGHEST = 160;

/**
 * Shows an image of a message as a small picture. A click opens the image in an editor. The host sends the image when
 * the picture scrolls into view. If the image cannot be shown, a text replaces the picture.
 */
export class MessageImageElement extends LightElement {
  static override properties = reactive(['chatId', 'image'], ['shown', 'isBroken']);
  declare chatId: string;
  declare image: ImageView;
  declare private shown: ImageResponse | null;
  /** Whether the browser could not decode the image. */
  declare private isBroken: boolean;
  readonly #sight = new IntersectionObserver((changes) => {
    this.#inSight(changes.some(({ isIntersecting }) => isIntersecting));
  });

  constructor() {
    super();
    this.shown = null;
    this.isBroken = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Requests an image that Loupe has not requested yet. Requests an image again that the host could not read.
    if (this.shown === null || this.shown.url === null) {
      this.shown = null;
      this.#sight.observe(this);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
  }

  /** Takes a reply of the host, unless the reply is about another image. */
  accept(answer: ImageResponse): void {
    if (answer.chatId === this.chatId && answer.blob === this.image.blob) {
      this.shown = answer;
    }
  }

  protected override render(): TemplateResult {
    const { image, shown, isBroken } = this;
    const mimeType = drawableType(image);
    if (mimeType === null || isBroken || (shown !== null && shown.url === null)) {
      return html`<span class="image-words">${imageLine(image)}</span>${this.#problem()}`;
    }
    return shown === null
      ? html`<span class="image-frame waiting" .style=${frame(image)}><span class="sr-only">${imageFacts(image)}</span></span>`
      : this.#picture(mimeType, shown.url ?? '');
  }

  #picture(mimeType: DrawableType, url: string): TemplateResult {
    const { chatId, image } = this;
    return html`<button
      type="button"
      class="image-frame"
      title="Open the image"
      .style=${frame(image)}
      @click=${posting({ type: 'openImage', chatId, blob: image.blob, mimeType })}
    >
      <img
        src=${url}
        alt=${imageFacts(image)}
        draggable="false"
        @error=${() => {
          this.isBroken = true;
        }}
      />
    </button>`;
  }

  #problem(): TemplateResult {
    const text = this.isBroken ? 'The panel cannot show this image.' : (this.shown?.problem ?? '');
    return html`<span class="image-problem">${text}</span>`;
  }

  #inSight(isInSight: boolean): void {
    const mimeType = drawableType(this.image);
    if (isInSight && mimeType !== null) {
      this.#sight.disconnect();
      post(this, { type: 'showImage', chatId: this.chatId, blob: this.image.blob, mimeType });
    }
  }
}

/** Returns the style for the size of a picture that is not loaded. An image of unknown size gets a square. */
function frame({ width, height }: ImageView): string {
  if (width === null || height === null || width === 0 || height === 0) {
    return `width:${HIGHEST}px;aspect-ratio:1`;
  }
  const scale = Math.min(1, WIDEST / width, HIGHEST / height);
  return `width:${Math.round(width * scale)}px;aspect-ratio:${width}/${height}`;
}

/** Describes an image of a message by type, dimensions and size in bytes. Leaves out unknown values. */
export function imageLine(image: ImageView): TemplateResult {
  return html`${icon('file-media')}<span>${visibleText(imageFacts(image))}</span>`;
}

/** Returns the description of `imageLine` as plain text. */
function imageFacts({ mimeType, bytes, width, height }: ImageView): string {
  const size = width === null || height === null ? [] : [`${String(width)} × ${String(height)}`];
  const facts = [mimeType, ...size, ...(bytes === null ? [] : [fileSize(bytes)])].join(', ');
  return `Image (${facts})`;
}
