import type { RequestSize } from '../record/requestSize.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';

/** Describes a request over its budget. */
export interface Excess {
  readonly tokens: number;
  readonly budget: number;
  /** Number of blocks of the request. */
  readonly parts: number;
  /** The largest blocks, with their tokens by the model's counter; empty when no block is large. */
  readonly largest: readonly { readonly key: string; readonly tokens: number }[];
}

/** Removing a block with a smaller share of the request would not help much. */
const LARGE_SHARE = 0.1;

/** Enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

/** The excess of a request over its budget, in tokens; null when it fits. */
export function excessOf(prompt: Prompt, { tokens }: RequestSize, budget: number): Excess | null {
  if (tokens <= budget) {
    return null;
  }
  const blocks = promptBlocks(prompt).toSorted((a, b) => b.tokens - a.tokens);
  const isOneLarge = (blocks[0]?.tokens ?? 0) >= tokens * LARGE_SHARE;
  const largest = isOneLarge ? blocks.slice(0, LARGEST_NAMED).map((block) => ({ key: block.key, tokens: block.tokens })) : [];
  return { tokens, budget, parts: blocks.length, largest };
}
