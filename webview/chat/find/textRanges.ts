/** Name of the highlight in `findBar.css`. */
const FOUND = 'loupe-found';

/** Maximum number of matches to mark in one message. */
const MOST_MARKED = 200;

/** Selector of elements that separate texts. A match cannot start in one such element and end in another. */
const BLOCKS = 'article, blockquote, div, h1, h2, h3, h4, h5, h6, li, p, pre, td, th';
/**
 * Selector of elements that a search skips: buttons except the rows of tool calls, lines of figures, formulas, and text
 * for screen readers only.
 */
const NO_TEXT = 'button:not(.tool-call .step), .actions, .figures, .katex, .sr-only, [aria-hidden="true"]';

/** Returns the matches of `query` in the text below `root`, in order, at most `most` of them. */
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

/** Returns the text nodes below `root`, grouped by block. */
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

/** Marks a text in a message until the message loses the focus. Returns the first match. Null without a match. */
export function markFound(message: HTMLElement, text: string): Range | null {
  const ranges = textRanges(message, text, MOST_MARKED);
  CSS.highlights.set(FOUND, new Highlight(...ranges));
  message.addEventListener('blur', () => CSS.highlights.delete(FOUND), { once: true });
  return ranges[0] ?? null;
}

interface TextPosition {
  readonly piece: number;
  readonly offset: number;
}

interface TextMatch {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Finds `query` in `pieces`, in any case. A match can start in one piece and end in another. */
export function findMatches(pieces: readonly string[], query: string): readonly TextMatch[] {
  if (query === '') {
    return [];
  }
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }
  const placeOf = (at: number): TextPosition => {
    const piece = starts.findLastIndex((start) => start <= at);
    return { piece, offset: at - (starts[piece] ?? 0) };
  };
  // Places the end by the last character of the match, because the offset after it can be in the next piece.
  return [...pieces.join('').matchAll(new RegExp(escaped(query), 'giu'))].map(({ index, 0: found }) => {
    const last = placeOf(index + found.length - 1);
    return { start: placeOf(index), end: { ...last, offset: last.offset + 1 } };
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
