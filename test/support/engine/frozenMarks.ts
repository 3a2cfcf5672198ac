import type { FrozenBreakpoints } from '../../../src/engine/request/placeBreakpoints.js';
import { promptBlocks, type Prompt } from '../../../src/engine/model/prompt.js';

/** Returns the breakpoints of a request for the request for a summary that follows it. */
export function lastMarksOf(prompt: Prompt): FrozenBreakpoints {
  return new Map(promptBlocks(prompt).flatMap(({ key, breakpoint }) => (breakpoint === null ? [] : [[key, breakpoint] as const])));
}
