import type { Block } from './block.js';

/**
 * A message on the wire. Roles alternate strictly, starting with `user`. Tool results are blocks (role `tool-results`)
 * of the user message directly after their calls, before any user content. When a protocol needs tool results as
 * separate messages, its converter splits them off.
 */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/** A provider-neutral request. Converters may split messages (one per tool result), but never merge or reorder them. */
export interface Prompt {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly WireMessage[];
}

const BLOCKS = new WeakMap<Prompt, readonly Block[]>();

/** Returns all blocks of a prompt in wire order. Cached, because each step of a request reads them. */
export function promptBlocks(prompt: Prompt): readonly Block[] {
  const known = BLOCKS.get(prompt);
  if (known !== undefined) {
    return known;
  }
  const blocks = [...prompt.tools, ...prompt.system];
  for (const message of prompt.messages) {
    blocks.push(...message.blocks);
  }
  BLOCKS.set(prompt, blocks);
  return blocks;
}
