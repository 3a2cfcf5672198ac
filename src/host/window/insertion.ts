/*
 * Where code of a reply goes in a file. One line goes into the line of the cursor as it is. Several lines are a block: it
 * stands on lines of its own, indented as the line of the cursor is.
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
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  const common = commonIndent(lines);
  const block = lines.map((line) => (isBlank(line) ? '' : indent + line.slice(common))).join('\n');
  const start = isBlank(before) ? block.slice(indent.length) : `\n${block}`;
  return isBlank(after) ? start : `${start}\n${indent}`;
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
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => /^\s*/.exec(line)?.[0].length ?? 0));
}
