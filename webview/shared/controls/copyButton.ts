import { html, type TemplateResult } from 'lit';
import { iconButton } from './buttons.js';
import { announce, post } from '../events.js';
import { LightElement, reactive } from '../lightElement.js';

/** Time in ms for which the button confirms the copy. */
const FEEDBACK_MS = 1_500;

/** A button that copies a text through the host and then confirms the copy for a moment. */
export class CopyButton extends LightElement {
  static override properties = reactive(['source'], ['copied']);
  /** Returns the text to copy. Called for each click, because the text may still grow. */
  declare source: () => string;
  declare private copied: boolean;
  #timer = 0;

  constructor() {
    super();
    this.source = () => '';
    this.copied = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#timer);
    this.copied = false;
  }

  protected override render(): TemplateResult {
    return iconButton({ label: 'Copy', icon: this.copied ? 'check' : 'copy', onClick: this.#copy });
  }

  readonly #copy = (): void => {
    copyText(this, this.source());
    this.copied = true;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.copied = false;
    }, FEEDBACK_MS);
  };
}

/** Copies a text through the host, and lets screen readers say so. */
export function copyText(from: EventTarget, text: string): void {
  post(from, { type: 'copy', text });
  announce(from, 'Copied');
}

export function copyButton(source: () => string): TemplateResult {
  return html`<loupe-copy-button .source=${source}></loupe-copy-button>`;
}
