import type { Block, BlockRole, Breakpoint, WirePart } from '../../../src/engine/model/block.js';

/** A block of the conversation as converters get it, for tests in which neither its tokens nor where it is from matter. */
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
