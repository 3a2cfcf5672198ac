import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';
import { ROUGH_COUNTER } from '../../engine/tokens/roughCounter.js';
import { Loaded } from '../loaded.js';

/**
 * The token counters by their ids, each loaded when it is first needed. One that cannot be loaded is replaced by the
 * rough one, because a request that is counted badly is better than none. Loading is tried again at each call: it costs
 * the look at a file, and the file may be there again, as after an update. The cause is logged once for each counter.
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

  /** Never rejects. Whether it is the counter that was asked for, its id tells. */
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
