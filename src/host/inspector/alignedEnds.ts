import type { CacheParts } from '../../protocol/forecast.js';

/** Maximum distance between a cache boundary and the estimated end of its breakpoint, as a share of the input. */
const MOST_OFF = 0.05;

interface Anchor {
  /** Index of a block, and the tokens up to its end. */
  readonly at: number;
  readonly end: number;
}

/**
 * Corrects the estimated ends of blocks: moves boundaries between cache read, cache write and uncached tokens to the
 * nearest breakpoint. A boundary that is far from all breakpoints stays, because some caches end inside a block.
 */
export function alignedEnds(
  ends: readonly number[],
  breakpoints: readonly number[],
  { read, written }: Pick<CacheParts, 'read' | 'written'>,
): readonly number[] {
  const input = ends.at(-1) ?? 0;
  const anchors: Anchor[] = [{ at: -1, end: 0 }];
  for (const boundary of [read, read + written]) {
    const offBy = (at: number): number => Math.abs((ends[at] ?? 0) - boundary);
    const [at = -1] = breakpoints.toSorted((a, b) => offBy(a) - offBy(b));
    const { at: lastAt, end: lastEnd } = anchors.at(-1) ?? { at: -1, end: 0 };
    if (at > lastAt && boundary > lastEnd && boundary < input && offBy(at) <= MOST_OFF * input) {
      anchors.push({ at, end: boundary });
    }
  }
  anchors.push({ at: ends.length - 1, end: input });
  return ends.map((_, at) => endBetween(ends, anchors, at));
}

/** Returns the end of a block, in proportion to the estimates between the anchors before and after the block. */
function endBetween(ends: readonly number[], anchors: readonly Anchor[], at: number): number {
  const next = anchors.findIndex((anchor) => anchor.at >= at);
  const [from, to] = [anchors[next - 1], anchors[next]];
  if (from === undefined || to === undefined || to.at === at) {
    return to?.end ?? 0;
  }
  const [start, end] = [ends[from.at] ?? 0, ends[to.at] ?? 0];
  return from.end + (start === end ? 0 : Math.round((((ends[at] ?? 0) - start) * (to.end - from.end)) / (end - start)));
}
