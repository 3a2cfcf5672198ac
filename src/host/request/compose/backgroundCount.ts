import { isTurnedDown } from '../../../engine/chat/billedUsage.js';
import { MadeRequests, UNKNOWN_USE } from '../../../engine/accounting/madeRequests.js';
import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Model, ModelClient, WireRequest } from '../../../engine/model/model.js';
import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { DraftRequest } from '../../../engine/request/request.js';

/** Pause after typing before a count, in ms: each count is a request to the provider, and only the last one is used. */
export const COUNT_DELAY_MS = 800;

/** Most counts kept, by body: those of the latest drafts, for a user who returns to one. */
const KEPT_COUNTS = 50;

/**
 * Pause after a provider failed to count for a model, in ms. An endpoint may have no such path, and each try sends it
 * the whole request.
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
 * Asks the provider to count the chat's next request in the background: one count at a time, after a pause. A newer
 * request cancels the count of an older one. A failed count leaves the estimate as it is.
 */
export class BackgroundCount {
  readonly #ports: BackgroundCountPorts;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** By model, after a failure: the time before which its provider is not asked, in epoch milliseconds. */
  readonly #pausedUntil = new Map<string, number>();
  /** Models whose failure is already logged. */
  readonly #told = new Set<string>();
  /** By model: the counts that may be billed, since `takeMade` was last called. */
  readonly #made = new Map<string, MadeRequests>();
  #counting: Counting | null = null;
  #isClosed = false;

  constructor(ports: BackgroundCountPorts) {
    this.#ports = ports;
  }

  /** The provider's token count of the body with this SHA-256; null when there is none. */
  find(hash: string): number | null {
    return this.#counts.get(hash) ?? null;
  }

  /** Calls `listener` after each new count. */
  onCounted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Counts this request instead of any other; null counts none. */
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

  /** What counts may have been billed since this was last called. */
  takeMade(): readonly SideRequests[] {
    const made = [...this.#made.values()].flatMap((each) => each.sums());
    this.#made.clear();
    return made;
  }

  /** Cancels the running count. */
  cancel(): void {
    this.#counting?.abort.abort();
    this.#counting = null;
  }

  /** Cancels the running count and starts no more. */
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
    const ended = countable.model.capabilities.freeCounts ? null : this.#madeOf(countable.model.ref).begin();
    try {
      const tokens = await countable.client.countTokens(countable.model, countable.wire, signal);
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

  /** Ends a count; false when it was cancelled and its outcome must be ignored. */
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
