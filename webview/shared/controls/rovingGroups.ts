import { RovingFocus } from './rovingFocus.js';

/** Attribute with the name of a button group. Tab reaches one button; arrow keys, Home and End reach all buttons. */
const GROUP = 'data-roving';

/** Roles of buttons that an arrow key both focuses and presses. */
const PRESSED = new Set(['radio', 'tab']);
/** Attribute of buttons without such a role that an arrow key also presses. */
const SELECTS = 'data-selects';

export class RovingGroups {
  readonly #root: HTMLElement;
  readonly #groups = new Map<string, RovingFocus>();

  constructor(root: HTMLElement) {
    this.#root = root;
    root.addEventListener('focusin', ({ target }) => {
      this.#groupOf(target)?.focused(target);
    });
    root.addEventListener('keydown', (event) => {
      const next = this.#groupOf(event.target)?.next(event) ?? null;
      if (next !== null) {
        event.preventDefault();
        next.focus();
        if (PRESSED.has(next.getAttribute('role') ?? '') || next.hasAttribute(SELECTS)) {
          next.click();
        }
      }
    });
  }

  /** Call this after each rendering. */
  refresh(): void {
    for (const group of this.#root.querySelectorAll<HTMLElement>(`[${GROUP}]`)) {
      this.#groupOf(group)?.refresh('first');
    }
  }

  #groupOf(target: EventTarget | null): RovingFocus | null {
    const name = (target as Element | null)?.closest(`[${GROUP}]`)?.getAttribute(GROUP) ?? null;
    if (name === null) {
      return null;
    }
    const known = this.#groups.get(name);
    const group = known ?? new RovingFocus(() => [...this.#root.querySelectorAll<HTMLElement>(`[${GROUP}="${name}"] button`)]);
    this.#groups.set(name, group);
    return group;
  }
}
