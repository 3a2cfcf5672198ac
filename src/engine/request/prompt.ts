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

/** All blocks of a prompt in wire order. */
export function promptBlocks(prompt: Prompt): Block[] {
  return [...prompt.tools, ...prompt.system, ...prompt.messages.flatMap((message) => message.blocks)];
}
