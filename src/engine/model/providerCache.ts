import { TTL_SECONDS, type BreakpointCache, type Ttl } from './cacheRules.js';
import type { PlacedBreakpoint } from './prompt.js';

/*
 * What a provider with explicit breakpoints reads from and writes to its cache for a request. The rules:
 *
 * - An entry is a prefix of a request. It is written only at a breakpoint, with the lifetime of the breakpoint, and
 *   only if it has the provider's minimum of tokens.
 * - The lookup starts at the last breakpoint and goes back part by part, as far as the provider looks back. When no
 *   live entry ends in that range, the lookup continues at the previous breakpoint, and so on. The first entry found is
 *   read.
 * - A read restarts the lifetime of the entry, and of the entries at earlier breakpoints of the request.
 * - The parts after the read entry up to the last breakpoint are written: for an hour up to the last 1-hour breakpoint,
 *   for less after it. The parts after the last breakpoint are neither read nor written.
 *
 * Source: Anthropic's documentation of "Prompt caching". Loupe assumes that the provider drops no entry early.
 *
 * All functions are pure: the state is a value, passed in and returned.
 */

export interface CachePart {
  /** Identifies the request up to the end of this part: equal for requests that are equal up to here. */
  readonly prefix: string;
  /** Tokens of the part, with the tokens that the wire format adds. */
  readonly tokens: number;
  readonly breakpoint: Ttl | null;
}

/**
 * The parts of a request in columns. Loupe makes a forecast at each key press, and an object for each of thousands of
 * parts would take most of the time.
 */
export interface PartColumns {
  /** The prefix up to the end of each part. See `CachePart`. */
  readonly prefixes: readonly string[];
  /** The tokens up to the end of each part. */
  readonly ends: readonly number[];
  /** In the order of their parts. */
  readonly breakpoints: readonly PlacedBreakpoint[];
}

export function inColumns(parts: readonly CachePart[]): PartColumns {
  let end = 0;
  return {
    prefixes: parts.map(({ prefix }) => prefix),
    ends: parts.map(({ tokens }) => (end += tokens)),
    breakpoints: parts.flatMap(({ breakpoint: ttl }, at) => (ttl === null ? [] : [{ at, ttl }])),
  };
}

export interface CacheEntry {
  readonly ttl: Ttl;
  /** Epoch milliseconds. The entry expires after that. */
  readonly expiresAt: number;
}

/** Entries by prefix. Expired entries make no difference. */
export type CacheState = ReadonlyMap<string, CacheEntry>;

export const EMPTY_CACHE: CacheState = new Map();

/** A request's input in tokens. The four figures do not overlap, and add up to the whole input. */
export interface CacheUse {
  readonly read: number;
  /** Tokens written with a lifetime of less than an hour. */
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
}

/** A breakpoint with enough tokens before it. `end`: tokens up to the end of its part. */
interface WritingBreakpoint extends PlacedBreakpoint {
  readonly end: number;
  readonly prefix: string;
}

/** What a request finds in the cache, and what it writes. */
export interface CacheLookup {
  readonly use: CacheUse;
  /** The entry that is read. Null if no entry is read. */
  readonly hit: { readonly prefix: string /** Epoch milliseconds. */; readonly expiresAt: number } | null;
}

export interface CacheOutcome extends CacheLookup {
  readonly state: CacheState;
}

/** Returns the cache reads and writes of a request at `now` (epoch milliseconds). */
export function lookUp(rules: BreakpointCache, state: CacheState, parts: PartColumns, now: number): CacheLookup {
  const { prefixes, ends } = parts;
  const breakpoints = writingBreakpoints(parts, rules);
  const readTo = longestHit(rules, aliveAt(state, now), prefixes, breakpoints);
  const read = ends[readTo] ?? 0;
  const hour = Math.max(read, ...breakpoints.filter(({ ttl }) => ttl === '1h').map(({ end }) => end));
  const covered = Math.max(read, ...breakpoints.map(({ end }) => end));
  const prefix = prefixes[readTo] ?? null;
  const entry = prefix === null ? undefined : state.get(prefix);
  return {
    use: { read, written5m: covered - hour, written1h: hour - read, fresh: (ends.at(-1) ?? 0) - covered },
    hit: prefix === null || entry === undefined ? null : { prefix, expiresAt: entry.expiresAt },
  };
}

/** Does the same as `lookUp`, and also returns the cache after the request, without expired entries. */
export function useCache(rules: BreakpointCache, state: CacheState, parts: PartColumns, now: number): CacheOutcome {
  const used = [...usedEntries(rules, state, parts, now)].map(
    ([prefix, ttl]) => [prefix, { ttl, expiresAt: now + TTL_SECONDS[ttl] * 1_000 }] as const,
  );
  const alive = [...state].filter(([, entry]) => entry.expiresAt >= now);
  return { ...lookUp(rules, state, parts, now), state: new Map([...alive, ...used]) };
}

/** Returns the entries whose lifetime a request at `now` starts or restarts. */
export function usedEntries(rules: BreakpointCache, state: CacheState, parts: PartColumns, now: number): ReadonlyMap<string, Ttl> {
  const { use, hit } = lookUp(rules, state, parts, now);
  const isAlive = aliveAt(state, now);
  const ttlOf = (prefix: string): Ttl | undefined => (isAlive(prefix) ? state.get(prefix)?.ttl : undefined);
  const hitTtl = hit === null ? undefined : ttlOf(hit.prefix);
  const used = new Map<string, Ttl>(hit === null || hitTtl === undefined ? [] : [[hit.prefix, hitTtl]]);
  for (const { prefix, end, ttl } of writingBreakpoints(parts, rules)) {
    // A breakpoint before the read entry is not billed. So its entry does not live longer than the read entry.
    const unbilled = hitTtl !== undefined && TTL_SECONDS[hitTtl] < TTL_SECONDS[ttl] ? hitTtl : ttl;
    used.set(prefix, ttlOf(prefix) ?? (end > use.read ? ttl : unbilled));
  }
  return used;
}

/** Returns a test whether the cache has an entry for a prefix. */
export function aliveAt(state: CacheState, now: number): (prefix: string) => boolean {
  return (prefix) => (state.get(prefix)?.expiresAt ?? -Infinity) >= now;
}

function writingBreakpoints(
  { prefixes, ends, breakpoints }: PartColumns,
  { minimumTokens }: BreakpointCache,
): readonly WritingBreakpoint[] {
  return breakpoints.flatMap(({ at, ttl }) => {
    const [prefix, end] = [prefixes[at], ends[at] ?? 0];
    return prefix === undefined || end < minimumTokens ? [] : [{ at, ttl, end, prefix }];
  });
}

/** Returns the index of the last part of the entry to read; -1 if there is no such entry. */
function longestHit(
  { lookBack }: BreakpointCache,
  isAlive: (prefix: string) => boolean,
  prefixes: readonly string[],
  marks: readonly WritingBreakpoint[],
): number {
  for (const { at } of marks.toReversed()) {
    const from = lookBack === null ? 0 : Math.max(0, at - lookBack + 1);
    const found = prefixes.slice(from, at + 1).findLastIndex(isAlive);
    if (found !== -1) {
      return from + found;
    }
  }
  return -1;
}
