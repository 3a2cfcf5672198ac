import type { CacheRules, BreakpointCache, Ttl } from '../model/cacheRules.js';
import type { Block, Breakpoint } from '../model/block.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';

/** The breakpoints of an earlier request, by the keys of their blocks. */
export type FrozenBreakpoints = ReadonlyMap<string, Breakpoint>;

/** A breakpoint that a layout proposes, after block `at` of all blocks of the prompt (from 0). */
export interface Wish {
  readonly at: number;
  /** Whether to ask for the longest lifetime that the provider offers, instead of the shortest. */
  readonly isLong: boolean;
}

/** Places the breakpoints of an earlier request, for a summary request: such a request needs no new cache entries. */
export function repeatBreakpoints(prompt: Prompt, frozen: FrozenBreakpoints): Prompt {
  return withBreakpoints(prompt, ({ key }) => frozen.get(key) ?? null);
}

/**
 * Places the proposed breakpoints, the most important first, within the limits of the provider:
 * - A model without explicit breakpoints gets no breakpoint.
 * - A prefix below the minimum gets no breakpoint, because the provider would not cache it.
 * - A breakpoint before a breakpoint with a longer lifetime also gets the longer lifetime: providers refuse lifetimes
 *   that grow along the prompt.
 */
export function placeBreakpoints(prompt: Prompt, wishes: readonly Wish[], rules: CacheRules): Prompt {
  if (rules.kind !== 'marks' || wishes.length === 0) {
    return prompt;
  }
  const taken = allowedWishes(promptBlocks(prompt), wishes, rules);
  const lastLong = Math.max(-1, ...taken.filter(({ isLong }) => isLong).map(({ at }) => at));
  const places = new Map(taken.map(({ at }) => [at, { ttl: ttlOf(rules, at <= lastLong) }]));
  return withBreakpoints(prompt, (_block, at) => places.get(at) ?? null);
}

/** Returns the wishes that the provider allows, one for each place. */
function allowedWishes(blocks: readonly Block[], wishes: readonly Wish[], { most, minimumTokens }: BreakpointCache): Wish[] {
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

function ttlOf({ lifetimes }: BreakpointCache, isLong: boolean): Ttl {
  const ttl = lifetimes.at(isLong ? -1 : 0);
  if (ttl === undefined) {
    throw new RangeError('The rules of a cache with breakpoints name no lifetime.');
  }
  return ttl;
}

/** Sets breakpoints by block and index. Unchanged parts stay the same objects. */
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
