import type { Clock } from '../../../engine/ports.js';

/** Caches a list that takes long to make. After a failure, the next call makes the list again. */
export class TimedList {
  readonly #make: () => Promise<readonly string[]>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #freshMs: number;
  #made: { readonly at: number; readonly list: Promise<readonly string[]> } | null = null;

  /** `freshMs`: time in ms for which the list is reused. */
  constructor(make: () => Promise<readonly string[]>, clock: Pick<Clock, 'now'>, freshMs: number) {
    this.#make = make;
    this.#clock = clock;
    this.#freshMs = freshMs;
  }

  /** Returns the cached list or a new list. Rejects with the errors of `make`. */
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
