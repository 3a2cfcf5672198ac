import { RovingFocus } from './rovingFocus.js';

/** Marks an element whose buttons have one tab stop together; arrows, Home and End move among them. Its value is its name. */
const GROUP = 'data-roving';

/** Buttons of which an arrow also presses the one that it leads to. */
const PRESSED = new Set(['radio', 'tab']);
/** Says the same of other buttons. */
const SELECTS = 'data-selects';

/** The groups of buttons in a view. */
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

  /** To be called after each rendering. */
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
