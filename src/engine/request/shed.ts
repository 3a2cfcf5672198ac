import type { RequestSize } from '../tokens/requestSize.js';
import { promptBlocks, type Prompt } from './prompt.js';

/** A request that has more tokens than it may. */
export interface Excess {
  readonly tokens: number;
  readonly budget: number;
  /** Blocks of the request. */
  readonly parts: number;
  /** The largest of them, with their tokens by the model's counter; none when it has no large one. */
  readonly largest: readonly { readonly key: string; readonly tokens: number }[];
}

/** A part with less of the whole changes little when it is removed. */
const LARGE_SHARE = 0.1;

/** Enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

/** What of a request is over its budget, in tokens; null when it fits. Nothing leaves by itself yet. */
export function shed(prompt: Prompt, { tokens }: RequestSize, budget: number): Excess | null {
  if (tokens <= budget) {
    return null;
  }
  const blocks = promptBlocks(prompt).toSorted((a, b) => b.tokens - a.tokens);
  const isOneLarge = (blocks[0]?.tokens ?? 0) >= tokens * LARGE_SHARE;
  const largest = isOneLarge ? blocks.slice(0, LARGEST_NAMED).map((block) => ({ key: block.key, tokens: block.tokens })) : [];
  return { tokens, budget, parts: blocks.length, largest };
}
