import { isPlain, movedTo } from '../keys.js';

/** A list with one tab stop: the item that had the focus last. Arrows, Home and End move the focus along the items. */
export class RovingFocus {
  readonly #items: () => readonly HTMLElement[];
  #current: HTMLElement | null = null;

  constructor(items: () => readonly HTMLElement[]) {
    this.#items = items;
  }

  /** To be called after each rendering. `preferred` becomes the tab stop when the item that was it is gone. */
  refresh(preferred: 'first' | 'last'): void {
    const items = this.#items();
    if (this.#current === null || !items.includes(this.#current)) {
      this.#current = items.at(preferred === 'first' ? 0 : -1) ?? null;
    }
    for (const item of items) {
      item.tabIndex = item === this.#current ? 0 : -1;
    }
  }

  /** To be called when the focus comes to an element of the list. */
  focused(target: EventTarget | null): void {
    const item = this.#items().find((each) => each === target);
    if (item !== undefined && item !== this.#current) {
      this.#current = item;
      this.refresh('first');
    }
  }

  /** The item that a key leads to from `target`; null when `target` is no item, or the key moves nothing. */
  next(event: KeyboardEvent): HTMLElement | null {
    const items = this.#items();
    const from = items.findIndex((item) => item === event.target);
    const to = from === -1 || event.isComposing || !isPlain(event) ? null : movedTo(event.key, from, items.length);
    return to === null ? null : (items[to] ?? null);
  }

  /** The item that takes the focus when `item` goes: the one behind it, else the one before it; null without another. */
  neighbour(item: EventTarget | null): HTMLElement | null {
    const items = this.#items();
    const at = items.findIndex((each) => each === item);
    return at === -1 ? null : (items[at + 1] ?? items[at - 1] ?? null);
  }
}
