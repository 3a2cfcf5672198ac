import type { Block, BlockRole, Breakpoint, WirePart } from '../../../src/engine/model/block.js';

/** A block of the conversation, for tests in which its tokens and source do not matter. */
export function conversationBlock(key: string, role: BlockRole, part: WirePart, ttl: Breakpoint['ttl'] | null): Block {
  return {
    key,
    hash: '',
    role,
    part,
    source: { from: 'snapshot' },
    item: null,
    form: 'full',
    category: 'conversation',
    tokens: 0,
    tier: 'active',
    breakpoint: ttl === null ? null : { ttl },
  };
}
