import { diffLines } from 'diff';
import { lineCount } from '../../../engine/context/lines.js';
import { changedLines } from './changedLines.js';

/** Lines that a change adds and removes. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/**
 * Most lines added and removed for which the shortest difference is looked for. In files of 1 MB that takes 30 ms, which nobody feels; the
 * time grows with the square of this.
 */
const MOST_CHANGED_LINES = 200;

/**
 * The lines that a change adds and removes; null stands for no file. Where very many differ, all from the first to the last one that
 * differs count as replaced.
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
