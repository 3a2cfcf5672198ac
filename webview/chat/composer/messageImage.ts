import { type TemplateResult, html } from 'lit';
import { type DrawableType, type ImageResponse, drawableType, imageFacts } from '../../../src/protocol/images.js';
import type { ImageView } from '../../../src/protocol/panel/userEntry.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';

/**
 * Shows an image of a message as a thumbnail, with the size that CSS sets. A click opens the image in an editor. The
 * host sends the image when it scrolls into view. If the image cannot be shown, a text replaces the thumbnail.
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
      ? html`<span class="image-frame waiting"><span class="sr-only">${visibleText(altText(image))}</span></span>`
      : this.#picture(mimeType, shown.url ?? '');
  }

  #picture(mimeType: DrawableType, url: string): TemplateResult {
    const { chatId, image } = this;
    return html`<button
      type="button"
      class="image-frame"
      title="Open the image"
      @click=${posting({ type: 'openImage', chatId, blob: image.blob, mimeType })}
    >
      <img
        src=${url}
        alt=${revealHidden(altText(image))}
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

/** Returns the name of the user's file, or a description of an image without a file. */
function altText(image: ImageView): string {
  return image.name ?? inWords(image);
}

/** Shows the name of an image with its type, dimensions and size in bytes. */
function imageLine(image: ImageView): TemplateResult {
  return html`${icon('file-media')}<span>${visibleText(inWords(image))}</span>`;
}

function inWords(image: ImageView): string {
  return `${image.name ?? 'Image'} (${imageFacts(image)})`;
}
