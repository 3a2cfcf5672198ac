export class Listeners<Change extends readonly unknown[]> {
  readonly #all = new Set<(...change: Change) => void>();

  /** Calls `listener` after each change. Returns a function that removes the listener. */
  readonly add = (listener: (...change: Change) => void): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  call(...change: Change): void {
    for (const listener of this.#all) {
      listener(...change);
    }
  }

  clear(): void {
    this.#all.clear();
  }
}
