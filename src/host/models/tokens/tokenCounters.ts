import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { Loaded } from '../loaded.js';

/**
 * The token counters by id, each loaded at its first use. The rough counter replaces one that cannot be loaded: a
 * rough count is better than no request. Each call tries the load again: that costs one look at a file, which may be
 * back, as after an update. The cause is logged once for each counter.
 */
export class TokenCounters {
  readonly #load: (id: string) => Promise<TokenCounter>;
  readonly #logError: (error: LoupeError) => void;
  readonly #loaded = new Loaded<string, TokenCounter>(new Map());
  readonly #failed = new Set<string>();

  /** `load` may reject. */
  constructor(load: (id: string) => Promise<TokenCounter>, logError: (error: LoupeError) => void) {
    this.#load = load;
    this.#logError = logError;
  }

  /** Never rejects. The counter's id tells whether it is the one that was asked for. */
  async get(id: string): Promise<TokenCounter> {
    if (id === ROUGH_COUNTER.id) {
      return ROUGH_COUNTER;
    }
    try {
      return await this.#loaded.get(id, () => this.#load(id));
    } catch (thrown) {
      if (!this.#failed.has(id)) {
        this.#failed.add(id);
        this.#logError(toLoupeError(thrown));
      }
      return ROUGH_COUNTER;
    }
  }
}
