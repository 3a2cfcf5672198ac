import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
import type { TextDifferences } from '../../../engine/ports.js';

/** Number of unchanged lines around a change, as in `diff -u`, the format that models know best. */
const CONTEXT_LINES = 3;

/** Maximum number of changed lines. Beyond it, the whole text is shorter than a diff, and the comparison takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Finds differences between texts with the library jsdiff. Keeps the line ends of the files. */
export const TEXT_DIFFERENCES: TextDifferences = {
  between: (before, after) => {
    const options = { context: CONTEXT_LINES, maxEditLength: MOST_CHANGED_LINES, headerOptions: OMIT_HEADERS };
    return createPatch('', before, after, '', '', options) ?? null;
  },
  applied: (difference, before) => {
    const after = applyPatch(before, difference, { autoConvertLineEndings: false });
    return after === false ? null : after;
  },
};
