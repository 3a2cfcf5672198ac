import { revisionOf } from './fold.js';

/** Keeps what was made of the state of a chat until the state changes. */
export class UntilChange<Made> {
  readonly #made = new WeakMap<object, { readonly revision: number; readonly made: Made }>();

  /** Returns what was made before, or makes it now. A copy of a state (`{ ...state }`) has no fold: it is made each time. */
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
