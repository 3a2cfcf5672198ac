import { figureValue, inputTokens, type Usage } from '../model/usage.js';
import { assertNever } from '../assertNever.js';
import type { AutomaticCache, CacheRules, Lifetimes, BreakpointCache, Ttl } from '../model/cacheRules.js';
import { commonLength } from './prefixIds.js';
import { ReportedSizes } from './reportedSizes.js';
import { aliveAt, lookUp, usedEntries, type CacheEntry, type CacheUse, type PartColumns } from '../model/providerCache.js';
import { withReportedLifetimes, reportedLifetimes } from './toldLifetimes.js';

/*
 * Predicts which parts of a chat a provider's cache contains. Loupe applies the cache rules to the requests that were
 * sent, and corrects the result by the usage that the provider reported.
 */

/**
 * The expected cache use of a request. The provider's reported sizes of prefixes replace measured sizes, also after the
 * prefixes have expired. So the sum of the parts may differ from the measured size of the request.
 */
export interface ExpectedUse extends CacheUse {
  /** When the cache entry to read expires if no request reads it, in epoch milliseconds; null without a cache read. */
  readonly readUntil: number | null;
  /** How long a use keeps that entry, in ms; null without a cache read. */
  readonly lifetime: number | null;
}

export interface AnsweredRequest {
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  readonly parts: PartColumns;
  /** The usage that the provider reported; null without a report. */
  readonly usage: Usage | null;
}

export interface ExpectedCache {
  /**
   * Predicts the cache use of a request sent at `now` (epoch milliseconds). For a time before the latest request, the
   * prediction includes later entries.
   */
  use(parts: PartColumns, now: number): ExpectedUse;
  /** Returns how many parts at the beginning of a request the cache has at `now`. */
  cachedParts(parts: PartColumns, now: number): number;
  /** Records a sent request. Pass requests in the order of sending. */
  add(request: AnsweredRequest): void;
}

/** Returns null when the cache rules are unknown. `lifetimes` are the observed lifetimes of entries at breakpoints. */
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
  cachedParts: () => 0,
  use: ({ ends }) => ({ read: 0, written5m: 0, written1h: 0, fresh: ends.at(-1) ?? 0, readUntil: null, lifetime: null }),
  add: () => undefined,
};

class ExpectedMarkedCache implements ExpectedCache {
  readonly #rules: BreakpointCache;
  readonly #lifetimes: Lifetimes;
  /** Entries by prefix, with expired entries: these show what has expired since a request, and when. */
  readonly #state = new Map<string, CacheEntry>();
  /** The lifetime that the provider last reported, by the lifetime that was requested. */
  readonly #given = new Map<Ttl, Ttl>();
  readonly #sizes = new ReportedSizes();

  constructor(rules: BreakpointCache, lifetimes: Lifetimes) {
    this.#rules = rules;
    this.#lifetimes = lifetimes;
  }

  use(parts: PartColumns, now: number): ExpectedUse {
    const { use, hit } = lookUp(this.#rules, this.#state, this.#corrected(parts), now);
    const ttl = hit === null ? undefined : this.#state.get(hit.prefix)?.ttl;
    return { readUntil: hit?.expiresAt ?? null, lifetime: ttl === undefined ? null : this.#lifetimes[ttl], ...use };
  }

  cachedParts({ prefixes }: PartColumns, now: number): number {
    return 1 + prefixes.findLastIndex(aliveAt(this.#state, now));
  }

  add({ at, parts, usage }: AnsweredRequest): void {
    const covered = coveredTokens(usage);
    if (covered === 0) {
      return;
    }
    for (const { asked, actual } of reportedLifetimes(parts.breakpoints, usage)) {
      this.#given.set(asked, actual);
    }
    const last = parts.prefixes[parts.breakpoints.at(-1)?.at ?? -1];
    if (last !== undefined && covered !== null) {
      this.#sizes.add(last, covered);
    }
    for (const [prefix, ttl] of usedEntries(this.#rules, this.#state, this.#corrected(parts), at)) {
      this.#state.set(prefix, { ttl, expiresAt: at + this.#lifetimes[ttl] });
    }
  }

  /** Returns the parts with the lifetimes and sizes that the provider reported. */
  #corrected(parts: PartColumns): PartColumns {
    return withReportedLifetimes(this.#sizes.correct(parts), this.#given);
  }
}

/** Returns the reported cache reads and writes in tokens: 0 when nothing was cached, null if writes are unknown. */
function coveredTokens(usage: Usage | null): number | null {
  const read = figureValue(usage?.cacheReadInputTokens ?? null);
  const written = figureValue(usage?.cacheCreationInputTokens ?? null);
  return written === null ? null : (read ?? 0) + written;
}

/** Maximum number of parts of requests that an automatic cache remembers, about 8 bytes each. Forgets the oldest. */
const MOST_PARTS = 200_000;

interface CachedRequest {
  readonly prefixes: readonly string[];
  readonly at: number;
}

interface LongestPrefix {
  /** Tokens of the prefix that are cached, and tokens of the whole request. */
  readonly read: number;
  readonly whole: number;
  /** Number of parts. */
  readonly length: number;
  readonly at: number | null;
}

class ExpectedAutomaticCache implements ExpectedCache {
  readonly #rules: AutomaticCache;
  readonly #sizes = new ReportedSizes();
  /** With expired requests: these show what has expired since a request, and when. */
  readonly #sent: CachedRequest[] = [];
  /** Number of parts of all requests in `#sent`. */
  #parts = 0;

  constructor(rules: AutomaticCache) {
    this.#rules = rules;
  }

  use(parts: PartColumns, now: number): ExpectedUse {
    const { read, at, whole } = this.#longest(parts, now);
    const lifetime = at === null ? null : this.#rules.lifetimeSeconds * 1_000;
    return {
      ...{ read, written5m: 0, written1h: 0, fresh: whole - read },
      readUntil: at === null || lifetime === null ? null : at + lifetime,
      lifetime,
    };
  }

  cachedParts(parts: PartColumns, now: number): number {
    const { read, length } = this.#longest(parts, now);
    return read === 0 ? 0 : length;
  }

  add({ at, parts, usage }: AnsweredRequest): void {
    const [whole, tokens] = [parts.prefixes.at(-1), usage === null ? null : inputTokens(usage)];
    if (whole !== undefined && tokens !== null) {
      this.#sizes.add(whole, tokens);
    }
    this.#sent.push({ prefixes: parts.prefixes, at });
    this.#parts += parts.prefixes.length;
    while (this.#parts > MOST_PARTS && this.#sent.length > 1) {
      this.#parts -= this.#sent.shift()?.prefixes.length ?? 0;
    }
  }

  /** Returns the longest cached prefix of a request. `at`: when it was last sent. Null without a cached prefix. */
  #longest(parts: PartColumns, now: number): LongestPrefix {
    const { prefixes, ends } = this.#sizes.correct(parts);
    const alive = this.#sent.filter(({ at }) => at + this.#rules.lifetimeSeconds * 1_000 >= now);
    const found = alive.map(({ at, prefixes: sent }) => ({ at, length: commonLength(sent, prefixes) }));
    const length = found.reduce((longest, each) => Math.max(longest, each.length), 0);
    const read = this.#cached(ends[length - 1] ?? 0);
    const at = found.findLast((each) => read > 0 && each.length === length)?.at ?? null;
    return { read, length, at, whole: ends.at(-1) ?? 0 };
  }

  /** Returns how many tokens of a prefix of this length are cached. */
  #cached(tokens: number): number {
    const { minimumTokens, stepTokens } = this.#rules;
    return tokens < minimumTokens ? 0 : minimumTokens + Math.floor((tokens - minimumTokens) / stepTokens) * stepTokens;
  }
}
