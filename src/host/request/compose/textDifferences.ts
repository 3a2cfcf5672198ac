import { applyPatch, createPatch, OMIT_HEADERS } from 'diff';
import type { TextDifferences } from '../../../engine/ports.js';

/** Lines around a change: those of `diff -u`, which models have read most. */
const CONTEXT_LINES = 3;

/** Most lines added and removed: with more of them a copy is as short, and looking for the shortest difference takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Differences by the library jsdiff. Line ends are part of the lines, as they are in the files. */
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
