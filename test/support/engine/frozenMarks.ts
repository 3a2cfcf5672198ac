import type { FrozenMarks } from '../../../src/engine/request/mark.js';
import { promptBlocks, type Prompt } from '../../../src/engine/model/prompt.js';

/** The breakpoints of a request, for a request for a summary. */
export function lastMarksOf(prompt: Prompt): FrozenMarks {
  return new Map(promptBlocks(prompt).flatMap(({ key, breakpoint }) => (breakpoint === null ? [] : [[key, breakpoint] as const])));
}
