/*
 * What a provider with explicit cache breakpoints would read and write for a request. The rules:
 *
 * - Entries are prefixes of requests. They are written only at breakpoints, each with the breakpoint's time to
 *   live, and only from 1,024 tokens on.
 * - A request that has breakpoints reads the longest live entry that it starts with, up to its last breakpoint.
 *   Without breakpoints it reads nothing.
 * - Reading starts the time to live again, of the entry read and of the shorter ones inside it.
 * - What lies between the part read and the last breakpoint is written; what follows is neither.
 *
 * Unlike a real provider there is no look-back window (an entry is found however far before a breakpoint it
 * ends), and no entry is dropped early.
 *
 * All functions are pure: the state is a value, handed in and out.
 */

/** Providers cache no shorter prefix; most name this number. */
export const MINIMUM_PREFIX_TOKENS = 1_024;

export type Ttl = '5m' | '1h';

const TTL_MS: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

/** A part of a request in wire order. */
export interface CachePart {
  /** Identity of the request up to the end of this part: equal for two requests that are equal up to here. */
  readonly prefix: string;
  /** Tokens of the part and of the framing before it. */
  readonly tokens: number;
  readonly mark: Ttl | null;
}

interface Entry {
  readonly ttl: Ttl;
  /** Epoch milliseconds; from then on the entry is gone. */
  readonly expiresAt: number;
}

/** Live entries by their prefix. */
export type CacheState = ReadonlyMap<string, Entry>;

export const EMPTY_CACHE: CacheState = new Map();

/** A request's input in tokens: the four never overlap and add up to the whole input. */
export interface CacheUse {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
}

/** The use a request makes of the cache at `now` (epoch milliseconds), and the cache after it. */
export function useCache(
  state: CacheState,
  parts: readonly CachePart[],
  now: number,
): { readonly use: CacheUse; readonly state: CacheState } {
  const entries = new Map([...state].filter(([, entry]) => entry.expiresAt > now));
  const ends = cumulative(parts);
  const lastMark = parts.findLastIndex((part) => part.mark !== null);
  const readTo = parts.findLastIndex((part, index) => index <= lastMark && entries.has(part.prefix));
  for (const part of parts.slice(0, readTo + 1)) {
    touch(entries, part.prefix, now);
  }
  const read = ends[readTo] ?? 0;
  const written = { '5m': 0, '1h': 0 };
  let covered = read;
  for (const [index, part] of parts.entries()) {
    const end = ends[index] ?? 0;
    if (index > readTo && part.mark !== null && end >= MINIMUM_PREFIX_TOKENS) {
      entries.set(part.prefix, { ttl: part.mark, expiresAt: now + TTL_MS[part.mark] });
      written[part.mark] += end - covered;
      covered = end;
    }
  }
  const total = ends.at(-1) ?? 0;
  const use = { read, written5m: written['5m'], written1h: written['1h'], fresh: total - covered };
  return { use, state: entries };
}

function touch(entries: Map<string, Entry>, prefix: string, now: number): void {
  const entry = entries.get(prefix);
  if (entry !== undefined) {
    entries.set(prefix, { ttl: entry.ttl, expiresAt: now + TTL_MS[entry.ttl] });
  }
}

/** Tokens up to the end of each part. */
function cumulative(parts: readonly CachePart[]): number[] {
  let sum = 0;
  return parts.map((part) => (sum += part.tokens));
}
