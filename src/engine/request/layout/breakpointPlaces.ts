import type { Wish } from '../placeBreakpoints.js';
import type { Prompt } from '../../model/prompt.js';

/*
 * Possible places for breakpoints, as indices among the blocks of a prompt (`promptBlocks`). -1: no such place.
 */

export function systemEnd({ tools, system }: Prompt): number {
  return system.length === 0 ? -1 : tools.length + system.length - 1;
}

export function messagesEnd({ tools, system, messages }: Prompt, count: number): number {
  if (count <= 0 || messages.length === 0) {
    return -1;
  }
  return messages.slice(0, count).reduce((sum, { blocks }) => sum + blocks.length, tools.length + system.length) - 1;
}

/** Returns proposals for breakpoints at these places, the most important first, with short lifetimes. */
export function shortWishes(...places: readonly number[]): Wish[] {
  return places.flatMap((at) => (at === -1 ? [] : [{ at, isLong: false }]));
}
