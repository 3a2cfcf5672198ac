import { type PlacedBreakpoint, type Prompt, promptBlocks, promptBreakpoints, promptEnds, tokenEnds } from '../model/prompt.js';
import type { PrefixIds } from '../cache/prefixIds.js';
import type { CachePart } from '../model/providerCache.js';

/** What the provider's cache depends on. */
export interface CachedRequest {
  readonly blocks: readonly { readonly hash: string }[];
  /** The counted tokens up to the end of each block. */
  readonly ends: readonly number[];
  readonly breakpoints: readonly PlacedBreakpoint[];
}

export function cachedPrompt(prompt: Prompt): CachedRequest {
  return { blocks: promptBlocks(prompt), ends: promptEnds(prompt), breakpoints: promptBreakpoints(prompt) };
}

export function cachedRequest(
  blocks: readonly { readonly hash: string; readonly tokens: number }[],
  breakpoints: readonly PlacedBreakpoint[],
): CachedRequest {
  return { blocks, ends: tokenEnds(blocks, [], 0), breakpoints };
}

/** Divides a request into parts. `requestTokens`: the corrected sum of their tokens and of the wire format's tokens. */
export function requestParts(
  { blocks, ends, breakpoints }: CachedRequest,
  requestTokens: number,
  prefixes: PrefixIds,
): readonly CachePart[] {
  const names = prefixes.of(blocks);
  const parts: CachePart[] = spread(ends, requestTokens).map((tokens, at) => ({ prefix: names[at] ?? '', tokens, breakpoint: null }));
  for (const { at, ttl } of breakpoints) {
    const part = parts[at];
    if (part !== undefined) {
      parts[at] = { ...part, breakpoint: ttl };
    }
  }
  return parts;
}

/** Spreads the tokens of a request over its blocks in proportion to their counts. `ends`: see `CachedRequest`. */
export function spread(ends: readonly number[], requestTokens: number): readonly number[] {
  const counted = ends.at(-1) ?? 0;
  let before = 0;
  return ends.map((upTo) => {
    const end = counted === 0 ? 0 : Math.round((requestTokens * upTo) / counted);
    const size = end - before;
    before = end;
    return size;
  });
}
