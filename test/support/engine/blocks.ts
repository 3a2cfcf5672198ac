import type { Block, BlockRole, Breakpoint, WirePart } from '../../../src/engine/model/block.js';
import { inColumns, type PartColumns } from '../../../src/engine/model/providerCache.js';

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

/** Parts of 1,000 tokens, named by letters. The last has a breakpoint. */
export function parts(letters: string): PartColumns {
  return inColumns(
    letters
      .split('')
      .map((_, at) => ({ prefix: letters.slice(0, at + 1), tokens: 1_000, breakpoint: at === letters.length - 1 ? '5m' : null })),
  );
}
