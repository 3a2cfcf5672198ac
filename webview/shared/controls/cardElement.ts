import { html, nothing, type TemplateResult } from 'lit';
import { LightElement, reactive } from '../lightElement.js';

/** A button with a card below. Escape closes the card, and so does a focus outside of button and card. */
export abstract class CardElement extends LightElement {
  static override properties = reactive([], ['isOpen']);
  declare protected isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.isOpen) {
        event.preventDefault();
        this.leave();
      }
    });
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) {
        this.isOpen = false;
      }
    });
  }

  /** The button that opens and closes `card`, and the open card. Screen readers read `label` in place of `words`. */
  protected opener(
    look: { readonly words: TemplateResult; readonly label: string; readonly title: string; readonly classes: string },
    card: TemplateResult,
  ): TemplateResult {
    return html`<button type="button" class="figures ${look.classes}" title=${look.title} aria-label=${look.label} aria-expanded=${this.isOpen} @click=${this.#toggle}>
        ${look.words}
      </button>
      ${this.isOpen ? card : nothing}`;
  }

  /** Closes the card. First moves the focus to the button that opens the card, because the card disappears. */
  protected leave(): void {
    this.querySelector('button')?.focus();
    this.isOpen = false;
  }

  /** Opens or closes the card. Focuses the button, because some browsers do not focus a clicked button. */
  readonly #toggle = (): void => {
    this.isOpen = !this.isOpen;
    this.querySelector('button')?.focus();
  };
}
