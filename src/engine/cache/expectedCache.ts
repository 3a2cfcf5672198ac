import { figureValue, inputTokens, type Usage } from '../model/usage.js';
import { assertNever } from '../assertNever.js';
import { TTL_SECONDS, type AutomaticCache, type CacheRules, type Lifetimes, type MarkedCache, type Ttl } from '../model/cacheRules.js';
import { commonLength } from './prefixIds.js';
import { EMPTY_CACHE, useCache, type CachePart, type CacheState, type CacheUse } from '../model/providerCache.js';
import { givenParts, toldLifetimes } from './toldLifetimes.js';
import { sumTokens } from '../sumTokens.js';

/*
 * What the cache of a provider is likely to have of a chat: its rules, applied to the requests that were sent, as far as the usage that the
 * provider reported does not tell otherwise.
 */

/**
 * What is expected of the cache for a request. What is read was sent before, so where the provider has reported its size, that is taken,
 * and the sum may differ from the size that the request was measured with.
 */
export interface ExpectedUse extends CacheUse {
  /** When what is read is gone, unless it is read before, in epoch milliseconds; null where nothing is read. */
  readonly readUntil: number | null;
}

/** A request that a provider answered. */
export interface AnsweredRequest {
  /** When it was sent, in epoch milliseconds. */
  readonly at: number;
  readonly parts: readonly CachePart[];
  /** As the provider reported it; null where it reported none. */
  readonly usage: Usage | null;
}

export interface ExpectedCache {
  /** What the cache does with a request at `now` (epoch milliseconds). */
  use(parts: readonly CachePart[], now: number): ExpectedUse;
  /** Takes note of a request. They come in the order in which they were sent. */
  add(request: AnsweredRequest): void;
}

/** Null when it is unknown how it caches. `lifetimes` are those that a cache with breakpoints was found to serve. */
export function expectedCache(rules: CacheRules, lifetimes: Lifetimes): ExpectedCache | null {
  switch (rules.kind) {
    case 'marks':
      return new ExpectedMarkedCache(rules, lifetimes);
    case 'automatic':
      return expectedAutomaticCache(rules);
    case 'none':
      return NO_CACHE;
    case 'unknown':
      return null;
    default:
      return assertNever(rules);
  }
}

export function expectedAutomaticCache(rules: AutomaticCache): ExpectedCache {
  return new ExpectedAutomaticCache(rules);
}

const NO_CACHE: ExpectedCache = {
  use: (parts) => ({ read: 0, written5m: 0, written1h: 0, fresh: sumTokens(parts), readUntil: null }),
  add: () => undefined,
};

class ExpectedMarkedCache implements ExpectedCache {
  readonly #rules: MarkedCache;
  readonly #lifetimes: Lifetimes;
  #state: CacheState = EMPTY_CACHE;
  /** What the provider last said that it gives, by the lifetime that is asked for. */
  readonly #given = new Map<Ttl, Ttl>();
  /** Tokens up to the end of entries, as the provider reported them. */
  readonly #reported = new Map<string, number>();

  constructor(rules: MarkedCache, lifetimes: Lifetimes) {
    this.#rules = rules;
    this.#lifetimes = lifetimes;
  }

  use(parts: readonly CachePart[], now: number): ExpectedUse {
    const { use, hit } = useCache(this.#rules, this.#state, givenParts(parts, this.#given), now);
    const readUntil = hit?.expiresAt ?? null;
    const reported = hit === null ? undefined : this.#reported.get(hit.prefix);
    return { ...use, read: reported ?? use.read, readUntil };
  }

  add({ at, parts, usage }: AnsweredRequest): void {
    const covered = coveredTokens(usage);
    if (covered === 0) {
      return;
    }
    for (const { asked, told } of toldLifetimes(parts, usage)) {
      this.#given.set(asked, told);
    }
    const { state } = useCache(this.#rules, this.#state, givenParts(parts, this.#given), at);
    this.#state = living(state, this.#lifetimes, at);
    const last = parts.findLast(({ mark }) => mark !== null);
    if (last !== undefined && covered !== null) {
      this.#reported.set(last.prefix, covered);
    }
  }
}

/** The cache after a request at `at`, with what that used living as long as `lifetimes` says. */
function living(state: CacheState, lifetimes: Lifetimes, at: number): CacheState {
  return new Map(
    [...state].map(([prefix, { ttl, expiresAt }]) => {
      const isUsed = expiresAt === at + TTL_SECONDS[ttl] * 1_000;
      return [prefix, { ttl, expiresAt: isUsed ? at + lifetimes[ttl] : expiresAt }];
    }),
  );
}

/** Tokens that a provider said it read or wrote; 0 where it cached nothing. Null where it did not say. */
function coveredTokens(usage: Usage | null): number | null {
  const read = figureValue(usage?.cacheReadInputTokens ?? null);
  const written = figureValue(usage?.cacheCreationInputTokens ?? null);
  return read === null && written === null ? null : (read ?? 0) + (written ?? 0);
}

/** A request whose prefixes an automatic cache may have. */
interface Kept {
  readonly prefixes: readonly string[];
  readonly at: number;
  /** Tokens of the whole, as reported; null where they were not. */
  readonly tokens: number | null;
}

class ExpectedAutomaticCache implements ExpectedCache {
  readonly #rules: AutomaticCache;
  #kept: readonly Kept[] = [];

  constructor(rules: AutomaticCache) {
    this.#rules = rules;
  }

  use(parts: readonly CachePart[], now: number): ExpectedUse {
    const found = this.#alive(now).map((kept) => ({ kept, length: commonLength(kept.prefixes, parts) }));
    const length = found.reduce((longest, each) => Math.max(longest, each.length), 0);
    const longest = found.filter((each) => length > 0 && each.length === length).map(({ kept }) => kept);
    const same = reportedTokens(longest, length) ?? sumTokens(parts.slice(0, length));
    const read = this.#cached(same);
    const latest = longest.at(-1);
    return {
      ...{ read, written5m: 0, written1h: 0, fresh: same - read + sumTokens(parts.slice(length)) },
      readUntil: latest === undefined || read === 0 ? null : latest.at + this.#rules.lifetimeSeconds * 1_000,
    };
  }

  add({ at, parts, usage }: AnsweredRequest): void {
    const kept = { prefixes: parts.map(({ prefix }) => prefix), at, tokens: usage === null ? null : inputTokens(usage) };
    this.#kept = [...this.#alive(at), kept];
  }

  #alive(now: number): readonly Kept[] {
    return this.#kept.filter(({ at }) => at + this.#rules.lifetimeSeconds * 1_000 >= now);
  }

  /** What is cached of a prefix of so many tokens. */
  #cached(tokens: number): number {
    const { minimumTokens, stepTokens } = this.#rules;
    return tokens < minimumTokens ? 0 : minimumTokens + Math.floor((tokens - minimumTokens) / stepTokens) * stepTokens;
  }
}

/** Tokens of the first `length` parts, as reported for the latest request that ended there; null for none. */
function reportedTokens(requests: readonly Kept[], length: number): number | null {
  return requests.findLast(({ prefixes, tokens }) => prefixes.length === length && tokens !== null)?.tokens ?? null;
}
