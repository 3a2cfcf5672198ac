import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
import type { TextDifferences } from '../../../engine/ports.js';

/** Lines around a change, as in `diff -u`, the format that models have seen most. */
const CONTEXT_LINES = 3;

/** Maximum number of changed lines. With more, a copy is as short, and the search takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Text differences by the library jsdiff. Line ends are part of the lines, as in the files. */
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
