import { ASKED_LIFETIMES, type AutomaticCache, type CacheRules } from '../cache/cacheRules.js';
import { expectedAutomaticCache, expectedCache, type ExpectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import type { CachePart } from '../cache/providerCache.js';
import { markedBlocks, requestParts } from '../cache/requestParts.js';
import { sizeOfInput, type PastRequest } from './pastRequest.js';

/** For a model with unknown rules, only what it reads counts: no time is too long for it, and no prefix too short. */
const UNKNOWN_RULES: AutomaticCache = {
  kind: 'automatic',
  minimumTokens: 0,
  stepTokens: 1,
  lifetimeSeconds: Number.MAX_SAFE_INTEGER / 1_000,
};

/** What a chat's own requests have brought into the cache of their model, by its rules. */
export class OwnCache {
  readonly #cache: ExpectedCache;
  readonly #prefixes = new PrefixIds();

  /** After these requests, oldest first. */
  constructor(requests: readonly PastRequest[], rules: CacheRules) {
    this.#cache = expectedCache(rules, ASKED_LIFETIMES) ?? expectedAutomaticCache(UNKNOWN_RULES);
    for (const request of requests) {
      const { startedAt: at, end } = request.attempt;
      this.#cache.add({ at, parts: this.#partsOf(request), usage: end?.usage ?? null });
    }
  }

  /** Tokens of a request that are read if it is sent at `at`, in epoch milliseconds. */
  read(request: PastRequest, at: number): number {
    return this.#cache.use(this.#partsOf(request), at).read;
  }

  #partsOf({ attempt, blocks }: PastRequest): readonly CachePart[] {
    return requestParts(markedBlocks(blocks, attempt.manifest.marks), sizeOfInput(attempt), this.#prefixes);
  }
}
