import { structuredPatch } from 'diff';
import type { DetailLine } from '../../protocol/inspector/inspector.js';
import { MOST_OF_LINE } from '../../protocol/inspector/inspector.js';
import { counted } from '../../protocol/numbers.js';

/** Lines around a change. */
const CONTEXT_LINES = 3;

/** Most lines added and removed: with more of them both texts have little in common, and looking for the difference takes long. */
const MOST_CHANGED_LINES = 2_000;

/** The lines in which a text differs from what it was, with some around them; null where nearly nothing is the same. */
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
  same(countLines(after) - at + 1, 'after are');
  return lines;
}

/** A line as it is shown, without a mark and a number. */
export function line(text: string): DetailLine {
  const shown = text.slice(0, MOST_OF_LINE);
  return { text: shown, cut: text.length - shown.length, mark: '', number: null, numberBefore: null };
}

/** A line end at the end of a text begins no line. */
export function textLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function countLines(text: string): number {
  return textLines(text).length;
}
