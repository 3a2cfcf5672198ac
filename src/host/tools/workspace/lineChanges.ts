import { diffLines } from 'diff';
import { lineCount } from '../../../engine/context/lines.js';
import { changedLines } from './changedLines.js';

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/** Most changed lines in a shortest difference. The time grows with its square: 30 ms in files of 1 MB. */
const MOST_CHANGED_LINES = 200;

/**
 * Counts the added and removed lines of a change. Null means no file. With very many differences, counts all lines
 * between the first and last difference as replaced.
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
