import type { CacheRules, BreakpointCache, Ttl } from '../model/cacheRules.js';
import type { Block, Breakpoint } from '../model/block.js';
import { type PlacedBreakpoint, promptBlocks, promptEnds, withBlocks, type Prompt } from '../model/prompt.js';

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
  const places = promptBlocks(prompt).flatMap(({ key }, at) => {
    const breakpoint = frozen.get(key);
    return breakpoint === undefined ? [] : [{ at, ...breakpoint }];
  });
  return withBreakpoints(prompt, places);
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
  const taken = allowedWishes(promptEnds(prompt), wishes, rules);
  const lastLong = Math.max(-1, ...taken.filter(({ isLong }) => isLong).map(({ at }) => at));
  const places = taken.map(({ at }) => ({ at, ttl: ttlOf(rules, at <= lastLong) }));
  return withBreakpoints(prompt, places);
}

/** Returns the wishes that the provider allows, one for each place. */
function allowedWishes(ends: readonly number[], wishes: readonly Wish[], { most, minimumTokens }: BreakpointCache): Wish[] {
  const places = new Map<number, Wish>();
  for (const { at, isLong } of wishes) {
    const isCached = (ends[at] ?? -1) >= minimumTokens;
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

/** Sets breakpoints. `prompt` has none. */
function withBreakpoints(prompt: Prompt, places: readonly PlacedBreakpoint[]): Prompt {
  const blocks = promptBlocks(prompt);
  const changed = new Map<number, Block>();
  for (const { at, ttl } of places) {
    const block = blocks[at];
    if (block !== undefined) {
      changed.set(at, marked(block, ttl));
    }
  }
  return withBlocks(prompt, changed);
}

/** Blocks with their last breakpoint, so that an unchanged block is the same object at each key press. */
const MARKED = new WeakMap<Block, Block>();

function marked(block: Block, ttl: Ttl): Block {
  const known = MARKED.get(block);
  const made = known?.breakpoint?.ttl === ttl ? known : { ...block, breakpoint: { ttl } };
  MARKED.set(block, made);
  return made;
}
