import type { MarkdownIt as Renderer, StateBlock } from 'markdown-it';

/*
 * Reads fenced code as CommonMark does, with one difference: a fence with the language Markdown can contain fences of
 * the same length. Models quote whole documents this way. By CommonMark, the first inner fence would end the document.
 */

interface Fence {
  readonly marker: string;
  readonly length: number;
  /** The text after the marker. */
  readonly info: string;
}

const FENCE = /^(`{3,}|~{3,})(.*)$/;
const MARKDOWN = /^(?:md|markdown)\b/i;

/** `meta.isClosed` of each fence token says whether the text contains the closing fence. */
export function readFences(md: Renderer): void {
  md.block.ruler.at('fence', readFence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
}

function readFence(state: StateBlock, from: number, end: number, silent: boolean): boolean {
  const opening = fenceAt(state, from);
  if (opening === null || silent) {
    return opening !== null;
  }
  const open = [opening];
  let line = from + 1;
  while (line < end && !isOutdented(state, line)) {
    readLine(open, fenceAt(state, line));
    if (open.length === 0) {
      break;
    }
    line += 1;
  }
  const isClosed = open.length === 0;
  state.line = isClosed ? line + 1 : line;
  const token = state.push('fence', 'code', 0);
  token.info = opening.info;
  token.content = state.getLines(from + 1, line, state.sCount[from] ?? 0, true);
  token.markup = opening.marker.repeat(opening.length);
  token.map = [from, state.line];
  token.meta = { isClosed };
  return true;
}

/** Adds a fence that a line opens to `open`, or removes the one that it closes. */
function readLine(open: Fence[], fence: Fence | null): void {
  const inner = open.at(-1);
  if (fence === null || inner === undefined || fence.marker !== inner.marker || fence.length < inner.length) {
    return;
  }
  if (fence.info.trim() === '') {
    open.pop();
  } else if (MARKDOWN.test(inner.info.trim())) {
    open.push(fence);
  }
}

/** Returns the fence that a line opens or closes, or null. An info string after backticks contains no backtick. */
function fenceAt(state: StateBlock, line: number): Fence | null {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) {
    return null;
  }
  const text = state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const [, markers = '', info = ''] = FENCE.exec(text) ?? [];
  const marker = markers.charAt(0);
  return marker === '' || (marker === '`' && info.includes('`')) ? null : { marker, length: markers.length, info };
}

/** Whether a line ends the list item or the quote around the fence. */
function isOutdented(state: StateBlock, line: number): boolean {
  return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
}
