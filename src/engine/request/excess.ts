import type { RequestSize } from '../record/requestSize.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';

export interface Excess {
  readonly tokens: number;
  readonly budget: number;
  readonly parts: number;
  /** The largest blocks, with tokens by the model's counter. Empty when no block is large. */
  readonly largest: readonly { readonly key: string; readonly tokens: number }[];
}

/** Least share of the request that makes a block large. Removing a smaller one would not help much. */
const LARGE_SHARE = 0.1;

/** Number of large blocks in a message: enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

export function excessOf(prompt: Prompt, { tokens }: RequestSize, budget: number): Excess | null {
  if (tokens <= budget) {
    return null;
  }
  const blocks = promptBlocks(prompt).toSorted((a, b) => b.tokens - a.tokens);
  const isOneLarge = (blocks[0]?.tokens ?? 0) >= tokens * LARGE_SHARE;
  const largest = isOneLarge ? blocks.slice(0, LARGEST_NAMED).map((block) => ({ key: block.key, tokens: block.tokens })) : [];
  return { tokens, budget, parts: blocks.length, largest };
}
