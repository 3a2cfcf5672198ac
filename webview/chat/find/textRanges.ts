import { findMatches } from './matches.js';

/** Text does not go on from one of these into the next. */
const BLOCKS = 'article, blockquote, div, h1, h2, h3, h4, h5, h6, li, p, pre, td, th';
/** Names of controls, the lines with model and figures, and what is there for screen readers only. */
const NO_TEXT = 'button, .actions, .figures, .sr-only, [aria-hidden="true"]';

/** The places of `query` in the text below `root`, in their order, `most` at most. */
export function textRanges(root: Element, query: string, most: number): readonly Range[] {
  const ranges: Range[] = [];
  for (const nodes of textRuns(root)) {
    const found = findMatches(
      nodes.map(({ data }) => data),
      query,
    );
    for (const { start, end } of found) {
      const [first, last] = [nodes[start.piece], nodes[end.piece]];
      if (ranges.length === most || first === undefined || last === undefined) {
        return ranges;
      }
      const range = document.createRange();
      range.setStart(first, start.offset);
      range.setEnd(last, end.offset);
      ranges.push(range);
    }
  }
  return ranges;
}

/** The text nodes below `root` by the block that they stand in. */
function textRuns(root: Element): readonly (readonly Text[])[] {
  const runs: Text[][] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(NO_TEXT) !== null) {
      continue;
    }
    const nearest = parent.closest(BLOCKS);
    if (nearest !== block || runs.length === 0) {
      runs.push([]);
      block = nearest;
    }
    runs.at(-1)?.push(node as Text);
  }
  return runs;
}
