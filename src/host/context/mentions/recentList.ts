import type { Clock } from '../../../engine/ports.js';

/** A list that takes long to make: it is kept for a while, but one that could not be made is made anew at once. */
export class RecentList {
  readonly #make: () => Promise<readonly string[]>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #freshMs: number;
  #made: { readonly at: number; readonly list: Promise<readonly string[]> } | null = null;

  /** `freshMs` is how long a list is kept. */
  constructor(make: () => Promise<readonly string[]>, clock: Pick<Clock, 'now'>, freshMs: number) {
    this.#make = make;
    this.#clock = clock;
    this.#freshMs = freshMs;
  }

  /** Rejects as `make` does. */
  async get(): Promise<readonly string[]> {
    const now = this.#clock.now();
    if (this.#made === null || now - this.#made.at > this.#freshMs) {
      this.#made = { at: now, list: this.#make() };
    }
    const made = this.#made;
    try {
      return await made.list;
    } catch (thrown) {
      this.#made = this.#made === made ? null : this.#made;
      throw thrown;
    }
  }
}
