import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
import type { TextDifferences } from '../../../engine/ports.js';

/** Unchanged lines around a change, as in `diff -u`. Models know this format best. */
const CONTEXT_LINES = 3;

/** Maximum number of changed lines. With more, the whole text is as short as a diff, and the search takes long. */
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
