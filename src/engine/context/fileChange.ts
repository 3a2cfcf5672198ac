import type { TextDifferences } from '../ports.js';
import { fencedText, shownPath, unfenced } from './fence.js';

/*
 * What has changed of a file that a prompt already has, in the form of a unified diff:
 *
 *     src/a.ts has changed:
 *     ```diff
 *     @@ -1,2 +1,2 @@
 *     -export const a = 1;
 *     +export const a = 2;
 *      export const b = 1;
 *     ```
 */

/** The change from one content of a file to another one; null where the two have too little in common. */
export function fenceChange(path: string, [before, after]: readonly [string, string], differences: TextDifferences): string | null {
  const difference = differences.between(before, after);
  return difference === null ? null : `${shownPath(path)} has changed:\n${fencedText('diff', difference)}`;
}

/** The content after a change in this form; null for a text that is none, or none of `before`. */
export function changedContent(change: string, before: string, differences: TextDifferences): string | null {
  const difference = unfenced(change);
  return difference === null ? null : differences.applied(difference, before);
}
