/*
 * Computes how to insert code of a reply into a file:
 * - A single line is inserted at the cursor, unchanged.
 * - Several lines become separate lines, with the indentation of the cursor's line.
 * - Code that would split a word or a line is inserted below the line.
 */

/** The text of the line before and after the cursor or selection. */
export interface SurroundingText {
  readonly before: string;
  readonly after: string;
}

/** Returns the text to insert between `before` and `after` for the code `text`. Line ends are line feeds. */
export function insertion(text: string, { before, after }: SurroundingText): string {
  const lines = withoutBlankEnds(text.replaceAll('\r\n', '\n').split('\n'));
  if (lines.length <= 1) {
    return text;
  }
  const indent = indentOf(before);
  const block = indented(lines, indent);
  const start = isBlank(before) ? block.slice(indent.length) : `\n${block}`;
  return isBlank(after) ? start : `${start}\n${indent}`;
}

/** Whether `text` would split a word, or a line if `text` has several lines. Loupe inserts such code below the line. */
export function splitsLine(text: string, { before, after }: SurroundingText): boolean {
  const isBlock = withoutBlankEnds(text.split(/\r?\n/)).length > 1;
  return isBlock ? !isBlank(before) && !isBlank(after) : WORD_END.test(before) && WORD_START.test(after);
}

/** Returns the text to insert at the end of a line for code that would split the line: a line break, then the code. */
export function insertionBelow(text: string, { before, after }: SurroundingText): string {
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

/** Returns the smallest indentation of the lines, in characters. Ignores blank lines. */
function commonIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
}
