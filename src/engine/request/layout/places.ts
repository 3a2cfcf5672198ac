import type { Wish } from '../mark.js';
import type { Prompt } from '../../model/prompt.js';

/*
 * Where a layout may want a breakpoint. All give indices among the blocks of a prompt (`promptBlocks`), -1 where there is no
 * such place.
 */

/** The end of tools and system prompt. */
export function systemEnd({ tools, system }: Prompt): number {
  return system.length === 0 ? -1 : tools.length + system.length - 1;
}

/** The end of the first `count` messages; -1 for none of them. */
export function messagesEnd({ tools, system, messages }: Prompt, count: number): number {
  if (count <= 0 || messages.length === 0) {
    return -1;
  }
  return messages.slice(0, count).reduce((sum, { blocks }) => sum + blocks.length, tools.length + system.length) - 1;
}

/** Wishes at these places, the most important first, for entries that live short. */
export function shortWishes(...places: readonly number[]): Wish[] {
  return places.flatMap((at) => (at === -1 ? [] : [{ at, isLong: false }]));
}
