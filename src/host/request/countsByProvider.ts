import type { DraftRequest } from '../../engine/request/request.js';
import type { BackgroundCount, Countable } from './backgroundCount.js';

/** The provider's counts of the requests that are tried until one fits. */
export class CountsByProvider {
  readonly #counting: Pick<BackgroundCount, 'find'>;
  readonly #countableOf: (draft: DraftRequest) => Countable | null;
  #wanted: { readonly countable: Countable | null; readonly isKnown: boolean } = { countable: null, isKnown: true };

  /** `countableOf` gives a request as its provider can count it; null when it need not or cannot. */
  constructor(counting: Pick<BackgroundCount, 'find'>, countableOf: (draft: DraftRequest) => Countable | null) {
    this.#counting = counting;
    this.#countableOf = countableOf;
  }

  /** The first request that was tried and has no count yet; it decides what must leave. The last one when all have theirs. */
  get wanted(): Countable | null {
    return this.#wanted.countable;
  }

  /** The provider's count of a request; null without one. */
  find(draft: DraftRequest): number | null {
    const countable = this.#countableOf(draft);
    const count = countable === null ? null : this.#counting.find(countable.hash);
    this.#wanted = this.#wanted.isKnown ? { countable, isKnown: count !== null } : this.#wanted;
    return count;
  }
}
