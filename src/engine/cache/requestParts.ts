import type { PrefixIds } from './prefixIds.js';
import type { CachePart } from './providerCache.js';

/** A block, with the lifetime that is asked for up to its end. */
export interface MarkedBlock {
  readonly hash: string;
  readonly tokens: number;
  readonly ttl: CachePart['mark'];
}

/** The parts of a request as a cache sees them. Spreads the tokens of a request, which may be corrected and has framing, over its blocks. */
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
