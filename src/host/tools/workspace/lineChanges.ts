import { diffLines } from 'diff';
import { lineCount } from '../../../engine/context/lines.js';

/** Lines that a change adds and removes. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/** Looking for the shortest difference of two texts takes longer the more they differ: beyond this many lines all counts as replaced. */
const MOST_CHANGED_LINES = 2_000;

/** The lines that differ between two texts; null stands for no file. */
export function lineChanges(before: string | null, after: string | null): LineChanges {
  const changes = diffLines(before ?? '', after ?? '', { maxEditLength: MOST_CHANGED_LINES });
  if (changes === undefined) {
    return { added: lineCount(after ?? ''), removed: lineCount(before ?? '') };
  }
  const sum = (which: 'added' | 'removed'): number => changes.reduce((total, change) => total + (change[which] ? change.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}
