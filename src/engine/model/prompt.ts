import type { Block } from './block.js';

/**
 * A message on the wire. Roles alternate strictly, from `user`. Tool results are blocks (role `tool-results`) of the user
 * message directly after their calls, before any user content. A protocol that wants them as messages of their own
 * splits them off.
 */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/**
 * A provider-neutral request. Converters may split its messages (a protocol may want one message per tool result) but
 * never merge or reorder them.
 */
export interface Prompt {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly WireMessage[];
}

const BLOCKS = new WeakMap<Prompt, readonly Block[]>();

/** All blocks of a prompt in wire order. Each step of a request asks for them, so that they are brought together once. */
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
