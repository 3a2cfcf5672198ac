import { priceOfUse, type Prices } from '../accounting/price.js';
import { ASKED_LIFETIMES, TTL_SECONDS, type MarkedCache, type Ttl } from '../cache/cacheRules.js';
import { expectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import { markedBlocks, requestParts } from '../cache/requestParts.js';
import { sizeOfInput, type PastRequest } from './pastRequest.js';

/** What the input of requests costs, in US dollars. */
export interface ReplayedLifetime {
  /** Of the last one. */
  readonly cost: number;
  readonly sum: number;
}

/**
 * The requests of a chat to one model as they were sent, oldest first, through the rules of its cache; with `ttl` for all their
 * breakpoints, or with their own for null. A layout that goes by what the cache has still might have sent other requests.
 */
export function replayLifetime(requests: readonly PastRequest[], ttl: Ttl | null, rules: MarkedCache, prices: Prices): ReplayedLifetime {
  const cache = expectedCache(rules, ASKED_LIFETIMES);
  const prefixes = new PrefixIds();
  let [cost, sum] = [0, 0];
  for (const { attempt, blocks } of requests) {
    const marked = markedBlocks(blocks, attempt.manifest.marks).map((block) =>
      block.ttl === null ? block : { ...block, ttl: ttl ?? block.ttl },
    );
    const parts = requestParts(marked, sizeOfInput(attempt), prefixes);
    const use = cache?.use(parts, attempt.startedAt);
    cost = use === undefined ? 0 : priceOfUse(use, prices);
    sum += cost;
    cache?.add({ at: attempt.startedAt, parts, usage: null });
  }
  return { cost, sum };
}

/** The longest time to live that a provider offers, where it is longer than that of all breakpoints of a request; null otherwise. */
export function longerLifetime({ attempt }: PastRequest, { lifetimes }: MarkedCache): Ttl | null {
  const longest = lifetimes.at(-1) ?? null;
  const asked = attempt.manifest.marks.map(({ ttl }) => TTL_SECONDS[ttl]);
  return longest !== null && asked.length > 0 && asked.every((seconds) => seconds < TTL_SECONDS[longest]) ? longest : null;
}
