import { blockText } from './blockText.js';
import type { HeldBlock } from './heldRequest.js';

/** The places of the blocks whose text holds some words, in any case; null where nothing is looked for. */
export function foundBlocks(blocks: readonly HeldBlock[], words: string): readonly number[] | null {
  if (words.trim() === '') {
    return null;
  }
  const pattern = new RegExp(words.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return blocks.flatMap(({ part }, at) => (part !== null && pattern.test(blockText(part)) ? [at] : []));
}
