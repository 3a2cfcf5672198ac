import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
import type { TextDifferences } from '../../../engine/ports.js';

/** Number of unchanged lines around a change, as in `diff -u`, the format that models know best. */
const CONTEXT_LINES = 3;

/** Finds differences between texts with the library jsdiff. Keeps the line ends of the files. */
export const TEXT_DIFFERENCES: TextDifferences = {
  between: (before, after, most) => {
    const options = { context: CONTEXT_LINES, maxEditLength: most, headerOptions: OMIT_HEADERS };
    return createPatch('', before, after, '', '', options) ?? null;
  },
  applied: (difference, before) => {
    const after = applyPatch(before, difference, { autoConvertLineEndings: false });
    return after === false ? null : after;
  },
};
