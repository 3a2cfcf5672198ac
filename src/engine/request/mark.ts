import type { CacheMode } from '../chat/config.js';
import type { Capabilities } from '../run/model.js';
import type { Block, Breakpoint } from './block.js';
import type { Prompt, WireMessage } from './prompt.js';

const FIVE_MINUTES: Breakpoint = { ttl: '5m' };

/** The breakpoints of an earlier request, by the keys of their blocks. */
export type FrozenMarks = ReadonlyMap<string, Breakpoint>;

/**
 * Marks the blocks that an earlier request marked. A request for a summary reads what is cached, and pays for no new
 * entry that no later request would read.
 */
export function markAgain({ tools, system, messages }: Prompt, frozen: FrozenMarks): Prompt {
  const again = (blocks: readonly Block[]): readonly Block[] =>
    blocks.map((block) => ({ ...block, breakpoint: frozen.get(block.key) ?? null }));
  return { tools: again(tools), system: again(system), messages: messages.map(({ role, blocks }) => ({ role, blocks: again(blocks) })) };
}

/**
 * Places cache breakpoints for the plain layout:
 *
 * - `system`: at the end of the system prompt.
 * - `cached`: also at the end of the request, so that the next request reads this one from the cache. Only there where
 *   the provider takes a single breakpoint.
 *
 * A model without explicit breakpoints gets none. A prefix below the provider's minimum gets none, because it would not
 * be cached and would use up one of the few.
 */
export function mark(prompt: Prompt, mode: CacheMode, capabilities: Capabilities): Prompt {
  const limits = capabilities.cache;
  if (mode === 'all-off' || limits.kind !== 'marks') {
    return prompt;
  }
  const fixed = sum(prompt.tools) + sum(prompt.system);
  const whole = fixed + prompt.messages.reduce((total, message) => total + sum(message.blocks), 0);
  const markEnd = mode === 'cached' && prompt.messages.length > 0 && whole >= limits.minimumTokens;
  const markSystem = fixed >= limits.minimumTokens && (!markEnd || limits.most > 1);
  return {
    ...prompt,
    system: markSystem ? markLast(prompt.system) : prompt.system,
    messages: markEnd ? markLastMessage(prompt.messages) : prompt.messages,
  };
}

function markLastMessage(messages: readonly WireMessage[]): readonly WireMessage[] {
  const last = messages.at(-1);
  return last === undefined ? messages : [...messages.slice(0, -1), { ...last, blocks: markLast(last.blocks) }];
}

function markLast(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.at(-1);
  return last === undefined ? blocks : [...blocks.slice(0, -1), { ...last, breakpoint: FIVE_MINUTES }];
}

function sum(blocks: readonly Block[]): number {
  return blocks.reduce((total, block) => total + block.tokens, 0);
}
