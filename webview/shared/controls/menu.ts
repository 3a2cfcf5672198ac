import { html, nothing, type TemplateResult } from 'lit';
import { iconButton } from './buttons.js';
import { movedTo } from '../keys.js';
import { LightElement, reactive } from '../lightElement.js';

export interface MenuItem {
  readonly label: string;
  /** The tooltip of the item: what a click does. */
  readonly detail: string;
  /** Text next to the label, such as a price. Null for an item without such text. */
  readonly note: string | null;
  readonly onChoose: () => void;
  /** Width of the panel in pixels below which the menu has this item, because its button has no room there. */
  readonly below?: 280 | 340;
}

/** Distance in pixels between the button, the menu and the edge of the page. */
const GAP = 4;

/** A button with an icon and its menu. Arrow keys move, Enter chooses; Escape, Tab and a click elsewhere close. */
export class MenuElement extends LightElement {
  static override properties = reactive(['label', 'icon', 'items', 'isDisabled'], ['isOpen']);
  declare label: string;
  /** The icon of the button. */
  declare icon: string;
  declare items: readonly MenuItem[];
  declare isDisabled: boolean;
  declare protected isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#closed();
  }

  protected override render(): TemplateResult {
    const { label, isOpen } = this;
    return html`${this.trigger()}
    ${
      isOpen
        ? html`<div class="menu" role="menu" aria-label=${label} popover="manual" @keydown=${this.#keyed} @focusout=${this.#left}>
            ${this.items.map(
              ({ label: name, detail, note, below }, index) =>
                html`<button type="button" class="menu-item ${below === undefined ? '' : `below-${below}`}" role="menuitem" tabindex="-1" title=${detail} @click=${() => {
                  this.#choose(index);
                }}>
                  ${name}${note === null ? nothing : html`<span class="menu-note figures">${note}</span>`}
                </button>`,
            )}
          </div>`
        : nothing
    }`;
  }

  /** The button that opens the menu. */
  protected trigger(): TemplateResult | typeof nothing {
    const { label, icon, isOpen, isDisabled: disabled } = this;
    return iconButton({ label, icon, popup: 'menu', expanded: isOpen, disabled, onClick: this.toggle });
  }

  /** The element at which the menu opens. */
  protected anchor(): HTMLElement | null {
    return this.querySelector('button');
  }

  /** The element that gets the focus when the menu closes. */
  protected opener(): HTMLElement | null {
    return this.anchor();
  }

  protected readonly toggle = (): void => {
    if (this.isOpen) {
      this.#closed();
    } else {
      this.isOpen = true;
      void this.updateComplete.then(this.#show);
    }
  };

  /** Shows the menu as a popover, because the entry would cut off a menu inside. */
  readonly #show = (): void => {
    this.querySelector<HTMLElement>('.menu')?.showPopover();
    this.#place();
    // Moves the menu with its button, which moves while the conversation grows or the panel changes its size.
    window.addEventListener('scroll', this.#place, { capture: true, passive: true });
    window.addEventListener('resize', this.#place);
    this.#items()[0]?.focus({ preventScroll: true });
  };

  /** Places the menu below the button, at its left edge. Without enough space: above, or at its right edge. */
  readonly #place = (): void => {
    const [menu, button] = [this.querySelector<HTMLElement>('.menu'), this.anchor()?.getBoundingClientRect()];
    if (menu === null || button === undefined) {
      return;
    }
    const { width, height } = menu.getBoundingClientRect();
    const below = button.bottom + GAP;
    const top = below + height + GAP > window.innerHeight ? Math.max(GAP, button.top - GAP - height) : below;
    menu.style.top = `${top}px`;
    const isTooWide = button.left + width + GAP > window.innerWidth;
    menu.style.left = `${Math.max(GAP, isTooWide ? button.right - width : button.left)}px`;
  };

  #closed(): void {
    this.isOpen = false;
    window.removeEventListener('scroll', this.#place, { capture: true });
    window.removeEventListener('resize', this.#place);
  }

  #close(): void {
    this.opener()?.focus({ preventScroll: true });
    this.#closed();
  }

  #choose(index: number): void {
    this.#close();
    this.items[index]?.onChoose();
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const items = this.#items();
    const to = movedTo(event.key, items.indexOf(event.target as HTMLElement), items.length);
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      this.#close();
    } else if (to !== null) {
      event.preventDefault();
      items[to]?.focus();
    }
  };

  /** Closes the menu when the focus leaves the menu. The button's click handler does this for a click on the button. */
  readonly #left = ({ relatedTarget }: FocusEvent): void => {
    const isInside = relatedTarget instanceof Node && (this.contains(relatedTarget) || this.anchor()?.contains(relatedTarget) === true);
    if (!isInside) {
      this.#closed();
    }
  };

  #items(): readonly HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.menu-item')].filter((item) => item.checkVisibility());
  }
}
