import { type TemplateResult, html, nothing } from 'lit';
import { type DrawableType, type ImageResponse, drawableType, imageFacts, notDrawn } from '../../../src/protocol/images.js';
import type { ImageView } from '../../../src/protocol/panel/entries.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { recentThumbnail } from './recentImages.js';
import { visibleText } from '../../shared/visibleText.js';

/**
 * Shows an image of a message as a thumbnail, with the size that CSS sets. A click opens the image in an editor. The
 * host sends the image when it scrolls into view. If the image cannot be shown, a text replaces the thumbnail. The
 * custom property `--image-ratio` has the width of the image divided by its height, if the size is known.
 */
export class MessageImageElement extends LightElement {
  static override properties = reactive(['chatId', 'image'], ['shown', 'isBroken']);
  declare chatId: string;
  declare image: ImageView;
  declare private shown: Pick<ImageResponse, 'url' | 'problem'> | null;
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
      void this.#begin();
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
  }

  async #begin(): Promise<void> {
    const url = await recentThumbnail(this.image.blob);
    if (url !== null) {
      this.shown = { url, problem: null };
    } else if (this.isConnected) {
      this.#sight.observe(this);
    }
  }

  /** Takes a reply of the host, unless the reply is about another image. */
  accept(answer: ImageResponse): void {
    if (answer.chatId === this.chatId && answer.blob === this.image.blob) {
      this.shown = answer;
    }
  }

  protected override willUpdate(): void {
    const { width, height } = this.image;
    if (width !== null && height !== null) {
      this.style.setProperty('--image-ratio', String(width / height));
    }
  }

  protected override render(): TemplateResult {
    const { image, shown, isBroken } = this;
    const mimeType = drawableType(image);
    if (mimeType === null || notDrawn(image) !== null || isBroken || (shown !== null && shown.url === null)) {
      return html`<span class="image-words">${imageLine(image)}</span>${this.#problem(mimeType)}`;
    }
    return shown === null
      ? html`<span class="image-frame waiting"><span class="sr-only">${visibleText(altText(image))}</span></span>`
      : this.#picture(mimeType, shown.url ?? '');
  }

  #open(mimeType: DrawableType): (event: Event) => void {
    return posting({ type: 'openImage', chatId: this.chatId, blob: this.image.blob, mimeType });
  }

  #picture(mimeType: DrawableType, url: string): TemplateResult {
    const { image } = this;
    return html`<button type="button" class="image-frame" title="Open the image" @click=${this.#open(mimeType)}>
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

  /** Says why the image is not shown. An editor can show an image that is only too large for the panel. */
  #problem(mimeType: DrawableType | null): TemplateResult {
    const limit = notDrawn(this.image);
    const text = limit ?? (this.isBroken ? 'The panel cannot show this image.' : (this.shown?.problem ?? ''));
    return html`<span class="image-problem"
      >${text}${limit === null || mimeType === null ? nothing : html` ${linkButton('Open', this.#open(mimeType))}`}</span
    >`;
  }

  #inSight(isInSight: boolean): void {
    const mimeType = drawableType(this.image);
    if (isInSight && mimeType !== null && notDrawn(this.image) === null) {
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
