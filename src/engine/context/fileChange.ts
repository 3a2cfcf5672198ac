import type { Block } from '../model/block.js';
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

/** Maximum number of changed lines. Beyond it, the whole text is shorter than a diff, and the comparison takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Returns the change between two contents of a file, or null when they have too little in common. */
export function fenceChange(path: string, [before, after]: readonly [string, string], differences: TextDifferences): string | null {
  const difference = differences.between(before, after, MOST_CHANGED_LINES);
  return difference === null ? null : `${shownPath(path)} has changed:\n${fencedText('diff', difference)}`;
}

/** Returns the content after a change, or null when the text is not a change of `before`. */
export function changedContent(change: string, before: string, differences: TextDifferences): string | null {
  const difference = unfenced(change);
  return difference === null ? null : differences.applied(difference, before);
}

/** Returns the content of a file after its block in a prompt. `before`: the content before. Null when unreadable. */
export function fileContent(block: Block, before: string | null, differences: TextDifferences): string | null {
  if (block.form === 'cut') {
    return null;
  }
  // The text of a file in the system prompt begins with line breaks.
  const text = block.part.type === 'text' ? block.part.text.trimStart() : '';
  const isChange = block.role === 'user' && block.copyHash !== undefined;
  if (isChange) {
    return before === null ? null : changedContent(text, before, differences);
  }
  return unfenced(text);
}
