import { hash as digest } from 'node:crypto';

/** How long an entry lives, as `cache_control` names it. */
export type Ttl = '5m' | '1h';

/** "This order forms a hierarchy": tools, then system, then messages. */
export type Level = 'tools' | 'system' | 'messages';

/** One block of a request, as a cache sees it. */
export interface PromptBlock {
  readonly level: Level;
  /** Consecutive calls, or results, share a position in the look-back. */
  readonly run: 'toolUse' | 'toolResult' | null;
  /** What identifies the block besides its text: role, kind and all other members. */
  readonly opening: string;
  /** The running text that is counted. */
  readonly text: string;
  /** Framing and images included. */
  readonly tokens: number;
  readonly mark: Ttl | null;
  /** Where it stands in the request, as error messages name it. */
  readonly path: string;
}

/** A request's prompt in the order of the caches. */
export interface Prompt {
  readonly blocks: readonly PromptBlock[];
  /** Parameters of the request that are part of the prefix from the first message on. */
  readonly parameters: string;
  /** Tokens behind the last block. */
  readonly tail: number;
}

/** How the tokens of a request's input were served. */
export interface CacheUse {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
}

/** A look-up that has been done and not yet taken effect: an entry exists from when the response begins. */
export interface PendingUse {
  readonly use: CacheUse;
  /** The response begins. */
  begin(): void;
}

export function totalTokens(prompt: Prompt): number {
  return prompt.blocks.reduce((sum, block) => sum + block.tokens, prompt.tail);
}

export interface Prefix {
  /** Identifies everything up to and including a block. */
  readonly hash: string;
  /** Tokens up to and including it. */
  readonly tokens: number;
}

/**
 * The prefix that ends at each block. "The hash is cumulative, covering everything up to and including the breakpoint."
 * @param owner - whose cache it is, and of which model
 */
export function prefixes(prompt: Prompt, owner: string): Prefix[] {
  let hash = owner;
  let tokens = 0;
  let isInMessages = false;
  return prompt.blocks.map((block) => {
    if (block.level === 'messages' && !isInMessages) {
      hash = chained(hash, ['parameters', prompt.parameters]);
      isInMessages = true;
    }
    hash = chained(hash, [block.level, block.opening, block.text]);
    tokens += block.tokens;
    return { hash, tokens };
  });
}

export function chained(previous: string, next: readonly string[]): string {
  return digest('sha256', JSON.stringify([previous, ...next]));
}
