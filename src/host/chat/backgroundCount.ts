import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { Model, ModelClient, WireRequest } from '../../engine/run/model.js';
import { modelKey } from '../../engine/chat/config.js';

/** Waits for a pause in typing: each count is a request to the provider, and only the last one is looked at. */
export const COUNT_DELAY_MS = 800;

/** Counts kept, by body: those of the latest drafts, for when the user returns to one. */
const KEPT_COUNTS = 50;

/**
 * How long a model whose provider failed to count is left alone: an endpoint may have no such path, and each try sends
 * it the whole request.
 */
export const FAILED_PAUSE_MS = 5 * 60_000;

/** A request that its provider can count. */
export interface Countable {
  readonly model: Model;
  readonly client: ModelClient;
  readonly wire: WireRequest;
  /** SHA-256 (hex) of the body. */
  readonly hash: string;
}

export interface BackgroundCountPorts {
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

interface Counting {
  readonly hash: string;
  readonly abort: AbortController;
}

/**
 * Has the requests of one chat counted by their provider while nothing else happens: one at a time, after a pause,
 * and only the latest; an older one is given up. A count that fails leaves the estimate as it is.
 */
export class BackgroundCount {
  readonly #ports: BackgroundCountPorts;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** By model: until when its provider is not asked, because it failed. */
  readonly #pausedUntil = new Map<string, number>();
  /** Models whose failure is in the log already. */
  readonly #told = new Set<string>();
  #counting: Counting | null = null;
  #isClosed = false;

  constructor(ports: BackgroundCountPorts) {
    this.#ports = ports;
  }

  /** What the provider counted of the body with this SHA-256, in tokens; null when it has not. */
  find(hash: string): number | null {
    return this.#counts.get(hash) ?? null;
  }

  /** Calls `listener` after each count that arrived. */
  onCounted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Wants this request counted instead of any other; null wants none. */
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

  /** Gives up what is being counted. */
  cancel(): void {
    this.#counting?.abort.abort();
    this.#counting = null;
  }

  /** Gives up, and counts nothing more. */
  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  async #count(countable: Countable, counting: Counting): Promise<void> {
    const { signal } = counting.abort;
    await this.#ports.clock.sleep(COUNT_DELAY_MS, signal);
    if (this.#counting !== counting) {
      return;
    }
    try {
      const tokens = await countable.client.countTokens(countable.model, countable.wire, signal);
      if (this.#end(counting)) {
        this.#arrived(countable.hash, tokens);
      }
    } catch (thrown) {
      if (this.#end(counting)) {
        this.#failedWith(countable, toLoupeError(thrown));
      }
    }
  }

  /** Ends a count that has an outcome; false for one that was given up, whose outcome nobody wants any more. */
  #end(counting: Counting): boolean {
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
