import { TTL_SECONDS, type BreakpointCache, type Ttl } from './cacheRules.js';

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

interface Entry {
  readonly ttl: Ttl;
  /** Epoch milliseconds. The entry expires after that. */
  readonly expiresAt: number;
}

/** Entries that have not expired, by prefix. */
export type CacheState = ReadonlyMap<string, Entry>;

export const EMPTY_CACHE: CacheState = new Map();

/** A request's input in tokens. The four figures do not overlap, and add up to the whole input. */
export interface CacheUse {
  readonly read: number;
  /** Tokens written with a lifetime of less than an hour. */
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
}

/** A breakpoint with enough tokens before it. `index`: index of its part. `end`: tokens up to the end of that part. */
interface PlacedBreakpoint {
  readonly index: number;
  readonly end: number;
  readonly prefix: string;
  readonly ttl: Ttl;
}

export interface CacheOutcome {
  readonly use: CacheUse;
  /** The entry that is read. Null if no entry is read. */
  readonly hit: { readonly prefix: string /** Epoch milliseconds. */; readonly expiresAt: number } | null;
  readonly state: CacheState;
}

/** Returns the cache reads and writes of a request at `now` (epoch milliseconds). */
export function useCache(rules: BreakpointCache, state: CacheState, parts: readonly CachePart[], now: number): CacheOutcome {
  const alive = new Map([...state].filter(([, entry]) => entry.expiresAt >= now));
  const ends = cumulative(parts);
  const breakpoints = breakpointsOf(parts, ends, rules);
  const readTo = longestHit(rules, alive, parts, breakpoints);
  const read = ends[readTo] ?? 0;
  const hour = Math.max(read, ...breakpoints.filter(({ ttl }) => ttl === '1h').map(({ end }) => end));
  const covered = Math.max(read, ...breakpoints.map(({ end }) => end));
  const use = { read, written5m: covered - hour, written1h: hour - read, fresh: (ends.at(-1) ?? 0) - covered };
  const prefix = parts[readTo]?.prefix ?? null;
  const entry = prefix === null ? undefined : alive.get(prefix);
  return {
    use,
    hit: prefix === null || entry === undefined ? null : { prefix, expiresAt: entry.expiresAt },
    state: entriesAfterUse(alive, breakpoints, { prefix, end: read }, now),
  };
}

/** Uses a plain loop for speed: a request may have thousands of parts, and Loupe makes a forecast at each keystroke. */
function breakpointsOf(
  parts: readonly CachePart[],
  ends: readonly number[],
  { minimumTokens }: BreakpointCache,
): readonly PlacedBreakpoint[] {
  const breakpoints: PlacedBreakpoint[] = [];
  for (const [index, { prefix, breakpoint: ttl }] of parts.entries()) {
    const end = ends[index] ?? 0;
    if (ttl !== null && end >= minimumTokens) {
      breakpoints.push({ index, end, prefix, ttl });
    }
  }
  return breakpoints;
}

/** Returns the index of the last part of the entry to read; -1 if there is no such entry. */
function longestHit(
  { lookBack }: BreakpointCache,
  alive: CacheState,
  parts: readonly CachePart[],
  marks: readonly PlacedBreakpoint[],
): number {
  for (const { index } of marks.toReversed()) {
    const from = lookBack === null ? 0 : Math.max(0, index - lookBack + 1);
    const found = parts.slice(from, index + 1).findLastIndex(({ prefix }) => alive.has(prefix));
    if (found !== -1) {
      return from + found;
    }
  }
  return -1;
}

/** Returns the entries after a request that has read the prefix `hit`. */
function entriesAfterUse(
  alive: CacheState,
  breakpoints: readonly PlacedBreakpoint[],
  hit: { readonly prefix: string | null; readonly end: number },
  now: number,
): CacheState {
  const hitTtl = alive.get(hit.prefix ?? '')?.ttl;
  const renewed = new Map<string, Ttl>(hit.prefix === null || hitTtl === undefined ? [] : [[hit.prefix, hitTtl]]);
  for (const { prefix, end, ttl } of breakpoints) {
    // A breakpoint before the read entry is not billed. So its entry does not live longer than the read entry.
    const unbilled = hitTtl !== undefined && TTL_SECONDS[hitTtl] < TTL_SECONDS[ttl] ? hitTtl : ttl;
    renewed.set(prefix, alive.get(prefix)?.ttl ?? (end > hit.end ? ttl : unbilled));
  }
  return new Map([...alive, ...[...renewed].map(([prefix, ttl]) => [prefix, { ttl, expiresAt: now + TTL_SECONDS[ttl] * 1_000 }] as const)]);
}

function cumulative(parts: readonly CachePart[]): number[] {
  let sum = 0;
  return parts.map((part) => (sum += part.tokens));
}
