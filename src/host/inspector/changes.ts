import { structuredPatch } from 'diff';
import type { DetailLine } from '../../protocol/inspector/inspector.js';
import { MOST_OF_LINE } from '../../protocol/inspector/inspector.js';
import { counted } from '../../protocol/numbers.js';

/** Number of unchanged lines to show before and after a change. */
const CONTEXT_LINES = 3;

/** Maximum number of changed lines. Beyond it, the texts have little in common, and the comparison takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Returns the changed lines with some lines around them. Null for texts with almost nothing in common. */
export function changedLines(before: string, after: string): readonly DetailLine[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, maxEditLength: MOST_CHANGED_LINES });
  if (patch === undefined) {
    return null;
  }
  const lines: DetailLine[] = [];
  let at = 1;
  const same = (count: number, where: string): void => {
    if (count > 0) {
      lines.push({ ...line(`${counted(count, 'line')} ${where} the same`), mark: '@' });
    }
  };
  for (const [index, hunk] of patch.hunks.entries()) {
    same(hunk.newStart - at, index === 0 ? 'before are' : 'between are');
    at = hunk.newStart;
    let atBefore = hunk.oldStart;
    for (const each of hunk.lines.filter((text) => !text.startsWith('\\'))) {
      const kind = each[0];
      lines.push({
        ...line(each.slice(1)),
        mark: kind === '+' ? '+' : kind === '-' ? '−' : '',
        number: kind === '-' ? null : at,
        numberBefore: kind === '+' ? null : atBefore,
      });
      at += kind === '-' ? 0 : 1;
      atBefore += kind === '+' ? 0 : 1;
    }
  }
  same(textLines(after).length - at + 1, 'after are');
  return lines;
}

/** Returns a line without a mark (added, removed) and without a line number. */
export function line(text: string): DetailLine {
  const shown = text.slice(0, MOST_OF_LINE);
  return { text: shown, cut: text.length - shown.length, mark: '', number: null, numberBefore: null };
}

/** Splits a text into lines. Does not add an empty line after a final line break. */
export function textLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
