import type { TextDifferences } from '../ports.js';
import { fencedText, shownPath, unfenced } from './fence.js';

/*
 * A change of a file that the prompt already has, as a unified diff:
 *
 *     src/a.ts has changed:
 *     ```diff
 *     @@ -1,2 +1,2 @@
 *     -export const a = 1;
 *     +export const a = 2;
 *      export const b = 1;
 *     ```
 */

/** Returns the change between two contents of a file, or null when they have too little in common. */
export function fenceChange(path: string, [before, after]: readonly [string, string], differences: TextDifferences): string | null {
  const difference = differences.between(before, after);
  return difference === null ? null : `${shownPath(path)} has changed:\n${fencedText('diff', difference)}`;
}

/** Returns the content after a change, or null when the text is not a change of `before`. */
export function changedContent(change: string, before: string, differences: TextDifferences): string | null {
  const difference = unfenced(change);
  return difference === null ? null : differences.applied(difference, before);
}
