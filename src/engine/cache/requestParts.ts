import type { ManifestBlock, Mark } from '../request/manifest.js';
import type { Ttl } from './cacheRules.js';
import type { PrefixIds } from './prefixIds.js';
import type { CachePart } from './providerCache.js';

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

/** Spreads the tokens of a request, which may be corrected and has framing, over its blocks. */
export function requestParts(blocks: readonly MarkedBlock[], requestTokens: number, prefixes: PrefixIds): readonly CachePart[] {
  const counted = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const names = prefixes.of(blocks.map(({ hash }) => hash));
  let [upTo, before] = [0, 0];
  return blocks.map(({ tokens, ttl }, at) => {
    upTo += tokens;
    const end = counted === 0 ? 0 : Math.round((requestTokens * upTo) / counted);
    const part = { prefix: names[at] ?? '', tokens: end - before, mark: ttl };
    before = end;
    return part;
  });
}
