/** What the user has just opened, which comes into sight with all that it loads. */
export class OpenedPart {
  #button: Element | null = null;

  /** To be called for each click, before the button's own listener, which may have it rendered as open. Returns whether it opens or closes something. */
  clicked({ target }: Event): boolean {
    const button = target instanceof Element ? target.closest('[aria-expanded]:not([aria-haspopup])') : null;
    if (button !== null) {
      this.#button = button.getAttribute('aria-expanded') === 'false' ? button : null;
    }
    return button !== null;
  }

  /** To be called when the user has gone on to something else. */
  forget(): void {
    this.#button = null;
  }

  /** Scrolls to it. To be called when the content has grown: rows that are still loading make it grow again. Returns whether there is one. */
  show(): boolean {
    const part = this.#button?.parentElement?.closest('.context-used') ?? this.#button?.parentElement;
    if (part === null || part === undefined) {
      return false;
    }
    part.scrollIntoView({ block: 'nearest' });
    if (part.querySelector('.skeleton') === null) {
      this.#button = null;
    }
    return true;
  }
}
