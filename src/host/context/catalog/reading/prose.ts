/* Finds code and HTML comments in Markdown, by the rules of CommonMark. */

export interface Prose {
  /** The text with blanks in place of code and comments. */
  readonly text: string;
  /** The text without comments, but with code. */
  readonly withoutComments: string;
}

/** Matches the start of a fence (with its list items and quotes), a comment or a code span, and escaped signs. */
const START = /^(?:[ \t]*(?:[-*+>]|\d+[.)])[ \t]+)*[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})|<!--|`+|\\./gm;

const EMPTY_LINE = /\n[ \t]*\n/g;

interface Range {
  readonly from: number;
  readonly to: number;
  readonly isComment: boolean;
}

export function proseOf(markdown: string): Prose {
  const withoutIndented = withoutIndentedCode(markdown);
  const ranges = rangesIn(withoutIndented);
  return {
    text: replaced(withoutIndented, ranges, blanks),
    withoutComments: replaced(
      markdown,
      ranges.filter(({ isComment }) => isComment),
      () => '',
    ),
  };
}

/** Returns the ranges of fences, comments and code spans. */
function rangesIn(text: string): readonly Range[] {
  const ranges: Range[] = [];
  const spanEnd = spanEnds(text);
  START.lastIndex = 0;
  for (let start = START.exec(text); start !== null; start = START.exec(text)) {
    const [all, fence] = start;
    const isComment = all === '<!--';
    const after = start.index + all.length;
    const to = fence !== undefined ? fenceEnd(text, after, fence) : isComment ? commentEnd(text, start.index) : spanEnd(start.index, all);
    if (to !== null) {
      ranges.push({ from: start.index, to, isComment });
      START.lastIndex = to;
    }
  }
  return ranges;
}

/** A fence that is not closed ends with the text. */
function fenceEnd(text: string, after: number, fence: string): number {
  const close = new RegExp(`^[ \\t>]*${fence}${fence.charAt(0)}*[ \\t\\r]*$`, 'gm');
  close.lastIndex = after;
  return close.exec(text) === null ? text.length : close.lastIndex;
}

/** Returns the end of a comment, with the line break after a comment on lines of its own. */
function commentEnd(text: string, from: number): number | null {
  const isOnOwnLine = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, from - 80), from));
  const close = text.indexOf('-->', from);
  if (close === -1) {
    return isOnOwnLine ? text.length : null;
  }
  const to = close + 3;
  const [lineBreak = ''] = isOnOwnLine ? (/^[ \t]*\r?\n/.exec(text.slice(to, to + 80)) ?? []) : [];
  return to + lineBreak.length;
}

/** Returns a function for the ends of code spans, in the order of the text: as many backticks as at the start. */
function spanEnds(text: string): (from: number, signs: string) => number | null {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: signs }) => ({ index, signs }));
  const paragraphEnds = [...Array.from(text.matchAll(EMPTY_LINE), ({ index }) => index), text.length];
  let next = 0;
  let paragraph = 0;
  return (from, signs) => {
    while ((runs[next]?.index ?? Infinity) <= from) {
      next += 1;
    }
    while ((paragraphEnds[paragraph] ?? Infinity) < from) {
      paragraph += 1;
    }
    const limit = paragraphEnds[paragraph] ?? text.length;
    for (let at = next; at < runs.length; at += 1) {
      const run = runs[at];
      if (run === undefined || run.index > limit) {
        return null;
      }
      if (run.signs === signs) {
        return run.index + signs.length;
      }
    }
    return null;
  };
}

const LIST_ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]/;
/** Lines in which fences and comments begin or end. These lines stay, because they decide what is code. */
const MARKS = /<!--|-->|`{3}|~{3}/;

/** Replaces lines of indented code by blanks. Indented lines of a list are text. */
function withoutIndentedCode(markdown: string): string {
  let isAfterBlank = true;
  let isInList = false;
  let isInCode = false;
  const lines = markdown.split('\n').map((line) => {
    if (line.trim() === '') {
      isAfterBlank = true;
      return line;
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line);
    isInCode = isIndented && (isInCode || (isAfterBlank && !isInList));
    if (LIST_ITEM.test(line)) {
      isInList ||= !isInCode;
    } else if (isAfterBlank && !/^[ \t]{2}/.test(line)) {
      isInList = false;
    }
    isAfterBlank = false;
    return isInCode && !MARKS.test(line) ? blanks(line) : line;
  });
  return lines.join('\n');
}

function blanks(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function replaced(text: string, ranges: readonly Range[], by: (part: string) => string): string {
  let from = 0;
  const parts = ranges.flatMap((range) => {
    const kept = text.slice(from, range.from);
    from = range.to;
    return [kept, by(text.slice(range.from, range.to))];
  });
  return [...parts, text.slice(from)].join('');
}
