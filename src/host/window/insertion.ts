/*
 * Where code of a reply goes in a file. One line goes into the line of the cursor as it is. Several lines are a block: it
 * stands on lines of its own, indented as the line of the cursor is. Neither splits code: what would do that goes below the line.
 */

/** The line of the cursor or selection: its text before and after. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** What to insert between `before` and `after` for `text`. Line ends are line feeds. */
export function insertion(text: string, { before, after }: Around): string {
  const lines = withoutBlankEnds(text.replaceAll('\r\n', '\n').split('\n'));
  if (lines.length <= 1) {
    return text;
  }
  const indent = indentOf(before);
  const block = indented(lines, indent);
  const start = isBlank(before) ? block.slice(indent.length) : `\n${block}`;
  return isBlank(after) ? start : `${start}\n${indent}`;
}

/** Whether `text` at a cursor there would split a word, or as a block a line of code. It then belongs at the end of the line. */
export function splitsLine(text: string, { before, after }: Around): boolean {
  const isBlock = withoutBlankEnds(text.split(/\r?\n/)).length > 1;
  return isBlock ? !isBlank(before) && !isBlank(after) : WORD_END.test(before) && WORD_START.test(after);
}

/** What to insert at the end of the line for code that would split it: a line break and the code, indented as the line is. */
export function insertionBelow(text: string, { before, after }: Around): string {
  const line = before + after;
  const lines = withoutBlankEnds(text.replaceAll('\r\n', '\n').split('\n'));
  return `\n${indented(lines, indentOf(line))}`;
}

const WORD_END = /[\p{L}\p{N}_$]$/u;
const WORD_START = /^[\p{L}\p{N}_$]/u;

function indented(lines: readonly string[], indent: string): string {
  const common = commonIndent(lines);
  return lines.map((line) => (isBlank(line) ? '' : indent + line.slice(common))).join('\n');
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** The number of characters of white space with which all lines begin. */
function commonIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
}
