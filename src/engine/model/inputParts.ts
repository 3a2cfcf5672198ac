import { figureValue, inputTokens, type Usage } from './usage.js';

/** Cache read, cache write and uncached tokens of a request, or of a part of it. */
export interface CacheParts {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
}

/** Splits each block by the reported cache use. `tokens` are counted block sizes. Null when the input is unknown. */
export function inputParts(tokens: readonly number[], usage: Usage): readonly CacheParts[] | null {
  const whole = usedParts(usage);
  return whole === null || whole.read + whole.written + whole.fresh === 0 ? null : partsOf(tokens, whole);
}

/** Splits the whole input as the provider reported it; null when the input is unknown. */
export function usedParts(usage: Usage): CacheParts | null {
  const input = inputTokens(usage);
  if (input === null) {
    return null;
  }
  const read = figureValue(usage.cacheReadInputTokens) ?? 0;
  const written = figureValue(usage.cacheCreationInputTokens) ?? 0;
  return { read, written, fresh: input - read - written };
}

/**
 * Splits each block of a request into cache read, cache write and uncached tokens. The order of the three is fixed,
 * because a cache reads and writes a prefix. The boundaries between the three are the reported figures, scaled to the
 * counted sizes of the blocks and rounded to whole tokens. Sizes are whole numbers.
 */
export function partsOf(tokens: readonly number[], { read, written, fresh }: CacheParts): readonly CacheParts[] {
  const input = read + written + fresh;
  const counted = tokens.reduce((sum, each) => sum + each, 0);
  const readTo = scaled(read, counted, input);
  const writtenTo = scaled(read + written, counted, input);
  let from = 0;
  return tokens.map((size) => {
    const to = from + size;
    const isRead = overlap(from, to, readTo);
    const isWritten = overlap(from, to, writtenTo) - isRead;
    from = to;
    return { read: isRead, written: isWritten, fresh: size - isRead - isWritten };
  });
}

/** Returns for each block the tokens read from the cache up to its end: the sums of `partsOf`, without its objects. */
export function readEnds(ends: readonly number[], { read, written, fresh }: CacheParts): readonly number[] {
  const readTo = scaled(read, ends.at(-1) ?? 0, read + written + fresh);
  return ends.map((each) => Math.min(each, readTo));
}

/** Scales a reported figure of `input` tokens to `counted` tokens, in whole tokens. */
function scaled(figure: number, counted: number, input: number): number {
  return input === 0 ? 0 : Math.round((figure * counted) / input);
}

/** Returns the length of the part of `[from, to)` below `limit`. */
function overlap(from: number, to: number, limit: number): number {
  return Math.max(0, Math.min(to, limit) - from);
}
