import { isTurnedDown } from '../chat/billedUsage.js';
import { MadeRequests, UNKNOWN_USE } from '../accounting/madeRequests.js';
import type { SideRequests } from '../chat/slices/sideRequests.js';
import { toLoupeError, type LoupeError } from '../errors.js';
import type { Clock } from '../ports.js';
import type { Countable } from './compose.js';
import { modelKey, type ModelRef } from '../model/modelRef.js';

/** Pause after the last key press until a count, in ms. Each count is a request, and Loupe uses only the last count. */
export const COUNT_DELAY_MS = 800;

/** Maximum number of counts in memory. A user who returns to a recent draft needs no new count. */
const KEPT_COUNTS = 50;

/**
 * Pause after a failed count, in ms, per model. An endpoint may not support counts, and each try sends the whole
 * request.
 */
export const FAILED_PAUSE_MS = 5 * 60_000;

export interface BackgroundCountPorts {
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

interface RunningCount {
  readonly hash: string;
  readonly abort: AbortController;
}

/**
 * Asks the provider in the background how many tokens the next request has. Waits for a pause in typing, and counts one
 * request at a time. A newer request cancels the last count. After a failed count, the estimate is used.
 */
export class BackgroundCount {
  readonly #ports: BackgroundCountPorts;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** When Loupe may ask again after a failed count, in epoch ms, by model key. */
  readonly #pausedUntil = new Map<string, number>();
  readonly #told = new Set<string>();
  /** Requests for token counts since the last `takeMade` that may be billed, by model key. */
  readonly #made = new Map<string, MadeRequests>();
  #counting: RunningCount | null = null;
  #isClosed = false;

  constructor(ports: BackgroundCountPorts) {
    this.#ports = ports;
  }

  /** Returns the provider's token count of the body with this SHA-256, or null. */
  find(hash: string): number | null {
    return this.#counts.get(hash) ?? null;
  }

  onCounted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Cancels the current count, then counts this request. Null only cancels. */
  want(countable: Countable | null): void {
    if (countable !== null && this.#counting?.hash === countable.hash) {
      return;
    }
    this.cancel();
    if (countable === null || this.#isClosed || this.#counts.has(countable.hash)) {
      return;
    }
    if (this.#ports.clock.now() < (this.#pausedUntil.get(modelKey(countable.model.ref)) ?? 0)) {
      return;
    }
    const counting = { hash: countable.hash, abort: new AbortController() };
    this.#counting = counting;
    void this.#count(countable, counting);
  }

  /** Returns the requests for token counts since the last call. The provider may bill these requests. */
  takeMade(): readonly SideRequests[] {
    const made = [...this.#made.values()].flatMap((each) => each.sums());
    this.#made.clear();
    return made;
  }

  cancel(): void {
    this.#counting?.abort.abort();
    this.#counting = null;
  }

  /** Cancels the current count. No count starts after this. */
  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  async #count(countable: Countable, counting: RunningCount): Promise<void> {
    const { signal } = counting.abort;
    await this.#ports.clock.sleep(COUNT_DELAY_MS, signal);
    if (this.#counting !== counting) {
      return;
    }
    const ended = countable.model.capabilities.freeCounts ? null : this.#madeOf(countable.model.ref).begin();
    try {
      const tokens = await countable.client.countTokens(countable.model, countable.wire(), signal);
      if (this.#end(counting)) {
        this.#arrived(countable.hash, tokens);
      }
    } catch (thrown) {
      const error = toLoupeError(thrown);
      ended?.({ ...UNKNOWN_USE, isUnbilled: isTurnedDown({ error, exchange: null, usage: null, hasContent: false }) });
      if (this.#end(counting)) {
        this.#failedWith(countable, error);
      }
    }
  }

  #madeOf(model: ModelRef): MadeRequests {
    const key = modelKey(model);
    const made = this.#made.get(key) ?? new MadeRequests('count', model);
    this.#made.set(key, made);
    return made;
  }

  /** Ends a count. Returns false when the count was cancelled, so that its result must be ignored. */
  #end(counting: RunningCount): boolean {
    const isWanted = this.#counting === counting;
    this.#counting = isWanted ? null : this.#counting;
    return isWanted;
  }

  #arrived(hash: string, tokens: number): void {
    this.#counts.set(hash, tokens);
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size > KEPT_COUNTS) {
      this.#counts.delete(oldest);
    }
    for (const listener of this.#listeners) {
      listener();
    }
  }

  #failedWith({ model }: Countable, error: LoupeError): void {
    const key = modelKey(model.ref);
    this.#pausedUntil.set(key, this.#ports.clock.now() + FAILED_PAUSE_MS);
    if (!this.#told.has(key)) {
      this.#told.add(key);
      this.#ports.logError(error);
    }
  }
}
