import type { ManifestBlock, Mark } from '../record/manifest.js';
import type { Ttl } from '../model/cacheRules.js';
import type { PrefixIds } from '../cache/prefixIds.js';
import type { CachePart } from '../model/providerCache.js';

/** A block of a request as a cache sees it. */
export interface MarkedBlock {
  readonly hash: string;
  readonly tokens: number;
  readonly ttl: Ttl | null;
}

/** The blocks of a recorded request with its breakpoints. */
export function markedBlocks(blocks: readonly Pick<ManifestBlock, 'hash' | 'tokens'>[], marks: readonly Mark[]): readonly MarkedBlock[] {
  const ttls = new Map(marks.map(({ at, ttl }) => [at, ttl]));
  return blocks.map(({ hash, tokens }, at) => ({ hash, tokens, ttl: ttls.get(at) ?? null }));
}

/** The parts of a request of so many tokens, which may be corrected and have framing. */
export function requestParts(blocks: readonly MarkedBlock[], requestTokens: number, prefixes: PrefixIds): readonly CachePart[] {
  const names = prefixes.of(blocks.map(({ hash }) => hash));
  const sizes = spread(
    blocks.map(({ tokens }) => tokens),
    requestTokens,
  );
  return blocks.map(({ ttl }, at) => ({ prefix: names[at] ?? '', tokens: sizes[at] ?? 0, mark: ttl }));
}

/** The tokens of a request, spread over its blocks by what was counted of each. */
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
