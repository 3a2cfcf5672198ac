import { isPlain, movedTo } from '../keys.js';

/** A list in which Tab reaches only the item that last had the focus. Arrow keys, Home and End move the focus. */
export class RovingFocus {
  readonly #items: () => readonly HTMLElement[];
  #current: HTMLElement | null = null;

  constructor(items: () => readonly HTMLElement[]) {
    this.#items = items;
  }

  /** Call this after each rendering. If the tab stop was removed, the `preferred` item becomes the tab stop. */
  refresh(preferred: 'first' | 'last'): void {
    const items = this.#items();
    if (this.#current === null || !items.includes(this.#current)) {
      this.#current = items.at(preferred === 'first' ? 0 : -1) ?? null;
    }
    for (const item of items) {
      item.tabIndex = item === this.#current ? 0 : -1;
    }
  }

  /** Call this when an element of the list gets the focus. */
  focused(target: EventTarget | null): void {
    const item = this.#items().find((each) => each === target);
    if (item !== undefined && item !== this.#current) {
      this.#current = item;
      this.refresh('first');
    }
  }

  /** Returns the item to which a key moves the focus from `target`. Null for a key that does not move the focus. */
  next(event: KeyboardEvent): HTMLElement | null {
    const items = this.#items();
    const from = items.findIndex((item) => item === event.target);
    const to = from === -1 || event.isComposing || !isPlain(event) ? null : movedTo(event.key, from, items.length);
    return to === null ? null : (items[to] ?? null);
  }

  /** Returns the item that gets the focus after the removal of `item`: the next, else the previous, else null. */
  neighbour(item: EventTarget | null): HTMLElement | null {
    const items = this.#items();
    const at = items.findIndex((each) => each === item);
    return at === -1 ? null : (items[at + 1] ?? items[at - 1] ?? null);
  }
}
