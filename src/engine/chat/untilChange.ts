import { revisionOf } from './fold.js';

/** Caches a value computed from the state of a chat until the state changes. */
export class UntilChange<Made> {
  readonly #made = new WeakMap<object, { readonly revision: number; readonly made: Made }>();

  /** Returns the cached value, or computes it after a change. For a copy of a state, computes it at each call. */
  of(state: object, make: () => Made): Made {
    const revision = revisionOf(state);
    const known = this.#made.get(state);
    if (known !== undefined && known.revision === revision) {
      return known.made;
    }
    const made = make();
    if (revision !== null) {
      this.#made.set(state, { revision, made });
    }
    return made;
  }
}
