/*
 * An open top-level code fence, read line by line. Most streamed text is in long code blocks. Reading only the new
 * text keeps that linear, and lets the view append instead of rendering again.
 */

export interface OpenFence {
  /** Offset of the fence's first line in the whole text. */
  readonly start: number;
  readonly info: string;
  readonly closing: RegExp;
  /** The content of all complete lines so far. */
  readonly code: string;
  /** The text after the last complete line. */
  readonly rest: string;
}

/** The start of a line that cannot become a closing fence. */
const NO_CLOSING = /^\s*[^\s`~]/;

/**
 * The fence that a line opens, before any of its content is read; null when it opens none. Only for fences at the
 * left margin: an indented fence removes its indentation from each line, which is left to the parser.
 */
export function openFence(line: string, start: number): OpenFence | null {
  const match = /^(`{3,}|~{3,})(.*)$/.exec(line);
  const marker = match?.[1];
  if (match === null || marker === undefined) {
    return null;
  }
  const closing = new RegExp(`^ {0,3}${marker.charAt(0)}{${marker.length},}[ \\t]*$`);
  return { start, info: match[2] ?? '', closing, code: '', rest: '' };
}

export interface FenceStep {
  readonly fence: OpenFence;
  /** The text after the closing line; null while the fence is open. */
  readonly after: string | null;
}

/** Reads more text. */
export function readFence(fence: OpenFence, text: string): FenceStep {
  const lines = (fence.rest + text).split('\n');
  const rest = lines.pop() ?? '';
  const end = lines.findIndex((line) => fence.closing.test(line));
  const content = end === -1 ? lines : lines.slice(0, end);
  const code = fence.code + content.map((line) => `${line}\n`).join('');
  return end === -1
    ? { fence: { ...fence, code, rest }, after: null }
    : { fence: { ...fence, code, rest: '' }, after: [...lines.slice(end + 1), rest].join('\n') };
}

/** The code to show while the fence is open. It only grows. */
export function shownCode(fence: OpenFence): string {
  return NO_CLOSING.test(fence.rest) ? fence.code + fence.rest : fence.code;
}

/** The code when the text ends here. A fence that is never closed runs to the end, without a blank unfinished line. */
export function finalCode(fence: OpenFence): string {
  return fence.rest.trim() === '' || fence.closing.test(fence.rest) ? fence.code : fence.code + fence.rest;
}
