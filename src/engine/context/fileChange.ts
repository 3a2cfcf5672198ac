import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
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

/** Lines around a change: those of `diff -u`, which models have read most. */
const CONTEXT_LINES = 3;

/** Most lines added and removed: with more of them a full copy is as short, and looking for the shortest difference takes long. */
const MOST_CHANGED_LINES = 2_000;

/** The change from one content of a file to another one; null where it is too large to be looked for. */
export function fenceChange(path: string, before: string, after: string): string | null {
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_CHANGED_LINES, headerOptions: OMIT_HEADERS };
  const patch = createPatch('', before, after, '', '', options);
  return patch === undefined ? null : `${shownPath(path)} has changed:\n${fencedText('diff', patch)}`;
}

/** The content after a change in this form; null for a text that is none, or none of `before`. */
export function changedContent(change: string, before: string): string | null {
  const patch = unfenced(change);
  const after = patch === null ? false : applyPatch(before, patch, { autoConvertLineEndings: false });
  return after === false ? null : after;
}
