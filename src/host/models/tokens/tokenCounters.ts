import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { LoadCache } from '../loaded.js';

/**
 * Token counters by id, each loaded at first use. If a counter fails to load, the rough counter replaces it: a rough
 * count is better than no request. Each call tries again, which is cheap; the file may be back, for example after an
 * update. The cause is logged once per counter.
 */
export class TokenCounters {
  readonly #load: (id: string) => Promise<TokenCounter>;
  readonly #logError: (error: LoupeError) => void;
  readonly #loaded = new LoadCache<string, TokenCounter>(new Map());
  readonly #failed = new Set<string>();

  constructor(load: (id: string) => Promise<TokenCounter>, logError: (error: LoupeError) => void) {
    this.#load = load;
    this.#logError = logError;
  }

  /** Never rejects. The id of the returned counter shows whether it is the requested one. */
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
