import { diffLines } from 'diff';
import { lineCount } from '../../../engine/context/lines.js';

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/** Maximum number of changed lines for an exact difference. The time grows with the square: 30 ms in files of 1 MB. */
const MOST_CHANGED_LINES = 200;

/**
 * Returns the number of added and removed lines. Null means that the file does not exist. With very many differences,
 * treats all lines between the first and the last difference as replaced.
 */
export function lineChanges(before: string | null, after: string | null): LineChanges {
  const { start, end, text } = changedLines(before ?? '', after ?? '');
  const replaced = (before ?? '').slice(start, end);
  const changes = diffLines(replaced, text, { maxEditLength: MOST_CHANGED_LINES });
  if (changes === undefined) {
    return { added: lineCount(text), removed: lineCount(replaced) };
  }
  const sum = (which: 'added' | 'removed'): number => changes.reduce((total, change) => total + (change[which] ? change.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** Returns all lines from the first to the last difference. The editor keeps cursors and folds in all other lines. */
export function changedLines(before: string, after: string): { readonly start: number; readonly end: number; readonly text: string } {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) {
    same += 1;
  }
  const start = same === 0 ? 0 : before.lastIndexOf('\n', same - 1) + 1;
  let sameAtEnd = 0;
  while (sameAtEnd < most - start && before[before.length - 1 - sameAtEnd] === after[after.length - 1 - sameAtEnd]) {
    sameAtEnd += 1;
  }
  // Keeps only whole equal lines at the end: equal text before the first line break is part of a changed line.
  const line = before.indexOf('\n', before.length - sameAtEnd);
  const kept = line === -1 ? 0 : before.length - line - 1;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}
