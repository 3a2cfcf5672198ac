import { type PlacedBreakpoint, type Prompt, promptBlocks, promptBreakpoints, promptEnds, tokenEnds } from '../model/prompt.js';
import type { PrefixIds } from '../cache/prefixIds.js';
import type { PartColumns } from '../model/providerCache.js';

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
export function requestParts({ blocks, ends, breakpoints }: CachedRequest, requestTokens: number, prefixes: PrefixIds): PartColumns {
  return { prefixes: prefixes.of(blocks), ends: scaledEnds(ends, requestTokens), breakpoints };
}

/** Spreads the tokens of a request over its blocks in proportion to their counts. `ends`: see `CachedRequest`. */
export function scaledEnds(ends: readonly number[], requestTokens: number): readonly number[] {
  const counted = ends.at(-1) ?? 0;
  return ends.map((end) => (counted === 0 ? 0 : Math.round((requestTokens * end) / counted)));
}
