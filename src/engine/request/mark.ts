import type { CacheRules, MarkedCache, Ttl } from '../model/cacheRules.js';
import type { Block, Breakpoint } from '../model/block.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';

/** The breakpoints of an earlier request, by the keys of their blocks. */
export type FrozenMarks = ReadonlyMap<string, Breakpoint>;

/** A breakpoint that a layout wants: at the block with the index `at` among all blocks of a prompt. */
export interface Wish {
  readonly at: number;
  /** Whether its entry should live as long as the provider offers, instead of as short. */
  readonly isLong: boolean;
}

/**
 * Marks the blocks that an earlier request marked. A request for a summary reads what is cached, and pays for no new
 * entry that no later request would read.
 */
export function markAgain(prompt: Prompt, frozen: FrozenMarks): Prompt {
  return withBreakpoints(prompt, ({ key }) => frozen.get(key) ?? null);
}

/**
 * Places the breakpoints that a layout wants, the most important first, as far as the provider takes them:
 *
 * - A model without explicit breakpoints gets none.
 * - A prefix below the provider's minimum gets none, because it would not be cached and would use up one of the few.
 * - An entry before a longer-lived one lives as long: providers refuse a request in which the time to live grows.
 */
export function mark(prompt: Prompt, wishes: readonly Wish[], rules: CacheRules): Prompt {
  if (rules.kind !== 'marks' || wishes.length === 0) {
    return prompt;
  }
  const taken = possible(promptBlocks(prompt), wishes, rules);
  const lastLong = Math.max(-1, ...taken.filter(({ isLong }) => isLong).map(({ at }) => at));
  const places = new Map(taken.map(({ at }) => [at, { ttl: ttlOf(rules, at <= lastLong) }]));
  return withBreakpoints(prompt, (_block, at) => places.get(at) ?? null);
}

/** The wishes that the provider takes, one for each place. */
function possible(blocks: readonly Block[], wishes: readonly Wish[], { most, minimumTokens }: MarkedCache): Wish[] {
  let tokens = 0;
  const prefixes = blocks.map((block) => (tokens += block.tokens));
  const places = new Map<number, Wish>();
  for (const { at, isLong } of wishes) {
    const isCached = (prefixes[at] ?? -1) >= minimumTokens;
    if (isCached && (places.has(at) || places.size < most)) {
      places.set(at, { at, isLong: isLong || places.get(at)?.isLong === true });
    }
  }
  return [...places.values()];
}

function ttlOf({ lifetimes }: MarkedCache, isLong: boolean): Ttl {
  const ttl = lifetimes.at(isLong ? -1 : 0);
  if (ttl === undefined) {
    throw new RangeError('The rules of a cache with breakpoints name no lifetime.');
  }
  return ttl;
}

/** The prompt with breakpoints by block and index. Unchanged parts stay the same objects. */
function withBreakpoints({ tools, system, messages }: Prompt, breakpointOf: (block: Block, at: number) => Breakpoint | null): Prompt {
  let before = 0;
  const marked = (blocks: readonly Block[]): readonly Block[] => {
    const first = before;
    before += blocks.length;
    const isRight = (block: Block, at: number): boolean => block.breakpoint === breakpointOf(block, first + at);
    return blocks.every(isRight)
      ? blocks
      : blocks.map((block, at) => (isRight(block, at) ? block : { ...block, breakpoint: breakpointOf(block, first + at) }));
  };
  return {
    tools: marked(tools),
    system: marked(system),
    messages: messages.map((message) => {
      const blocks = marked(message.blocks);
      return blocks === message.blocks ? message : { role: message.role, blocks };
    }),
  };
}
