import type { ManifestBlock, BreakpointRecord } from '../record/manifest.js';
import type { Ttl } from '../model/cacheRules.js';
import type { PrefixIds } from '../cache/prefixIds.js';
import type { CachePart } from '../model/providerCache.js';

/** The data of a block that the provider's cache depends on. */
export interface BlockWithBreakpoint {
  readonly hash: string;
  readonly tokens: number;
  readonly ttl: Ttl | null;
}

export function blocksWithBreakpoints(
  blocks: readonly Pick<ManifestBlock, 'hash' | 'tokens'>[],
  marks: readonly BreakpointRecord[],
): readonly BlockWithBreakpoint[] {
  const ttls = new Map(marks.map(({ at, ttl }) => [at, ttl]));
  return blocks.map(({ hash, tokens }, at) => ({ hash, tokens, ttl: ttls.get(at) ?? null }));
}

/** Divides a request into parts. `requestTokens`: the corrected sum of their tokens and of the wire format's tokens. */
export function requestParts(blocks: readonly BlockWithBreakpoint[], requestTokens: number, prefixes: PrefixIds): readonly CachePart[] {
  const names = prefixes.of(blocks.map(({ hash }) => hash));
  const sizes = spread(
    blocks.map(({ tokens }) => tokens),
    requestTokens,
  );
  return blocks.map(({ ttl }, at) => ({ prefix: names[at] ?? '', tokens: sizes[at] ?? 0, breakpoint: ttl }));
}

/** Spreads the tokens of a request over its blocks in proportion to their counts. */
export function spread(counts: readonly number[], requestTokens: number): readonly number[] {
  const counted = counts.reduce((sum, tokens) => sum + tokens, 0);
  let [upTo, before] = [0, 0];
  return counts.map((tokens) => {
    upTo += tokens;
    const end = counted === 0 ? 0 : Math.round((requestTokens * upTo) / counted);
    const size = end - before;
    before = end;
    return size;
  });
}
