/*
 * Which parts of the panel are open. Kept apart from the components, by names such as `context:<message id>`, so
 * that it outlives their elements, a switch of chats and a reload of the webview.
 */

/** Enough for everything a user opens in a session; the oldest are forgotten first. */
const MAX_OPEN = 500;

export class Disclosures {
  readonly #open: Set<string>;
  readonly #onChange: (open: readonly string[]) => void;

  /** `saved` is what VS Code has kept for the webview, which may be of another version: `{open}`, the names of open parts. */
  constructor(saved: unknown, onChange: (open: readonly string[]) => void) {
    const open = typeof saved === 'object' && saved !== null && 'open' in saved ? saved.open : null;
    this.#open = new Set(Array.isArray(open) ? open.filter((name) => typeof name === 'string') : []);
    this.#onChange = onChange;
  }

  isOpen(name: string): boolean {
    return this.#open.has(name);
  }

  toggle(name: string): void {
    if (!this.#open.delete(name)) {
      this.#open.add(name);
    }
    const all = [...this.#open].slice(-MAX_OPEN);
    this.#onChange(all);
  }
}
