/*
 * Stores which parts of the panel are open. Each part has a name, such as `context:<message id>`. Components do not
 * store this state, so that it survives a change of chats and a reload of the webview.
 */

/** Maximum number of open parts to store, more than a user opens in one session. Loupe forgets the oldest first. */
const MAX_OPEN = 500;

export class Disclosures {
  readonly #open: Set<string>;
  readonly #onChange: (open: readonly string[]) => void;

  /** `saved` is `{open}`, the names of open parts, as stored by this or another version of Loupe. */
  constructor(saved: unknown, onChange: (open: readonly string[]) => void) {
    const open = typeof saved === 'object' && saved !== null && 'open' in saved ? saved.open : null;
    this.#open = new Set(Array.isArray(open) ? open.filter((name) => typeof name === 'string') : []);
    this.#onChange = onChange;
  }

  isOpen(name: string): boolean {
    return this.#open.has(name);
  }

  /** Returns the names of open parts with this prefix, without the prefix. The newest part is last. */
  openBelow(prefix: string): readonly string[] {
    return [...this.#open].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  }

  toggle(name: string): void {
    if (!this.#open.delete(name)) {
      this.#open.add(name);
    }
    const all = [...this.#open].slice(-MAX_OPEN);
    this.#onChange(all);
  }
}
