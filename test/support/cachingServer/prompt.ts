import { hash as digest } from 'node:crypto';

export type Ttl = '5m' | '1h';

/** "This order forms a hierarchy": tools, then system, then messages. */
export type Level = 'tools' | 'system' | 'messages';

export interface PromptBlock {
  readonly level: Level;
  /** Consecutive calls or results share a position in the look-back. */
  readonly run: 'toolUse' | 'toolResult' | null;
  /** Identifies the block together with its text: role, kind and all other members. */
  readonly opening: string;
  readonly text: string;
  /** With framing and images. */
  readonly tokens: number;
  readonly mark: Ttl | null;
  /** Its place in the request, for error messages. */
  readonly path: string;
}

export interface Prompt {
  readonly blocks: readonly PromptBlock[];
  /** Parameters that are part of the prefix from the first message on. */
  readonly parameters: string;
  /** Tokens after the last block. */
  readonly tail: number;
}

export interface CacheUse {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly fresh: number;
}

/** A lookup that takes effect when the response begins. */
export interface PendingUse {
  readonly use: CacheUse;
  begin(): void;
}

export function totalTokens(prompt: Prompt): number {
  return prompt.blocks.reduce((sum, block) => sum + block.tokens, prompt.tail);
}

export interface Prefix {
  readonly hash: number;
  readonly tokens: number;
}

/** Finds equal prefixes among the prompts of one cache. */
export class Prefixes {
  private readonly numbers = new Map<string, number>();

  /** "The hash is cumulative, covering everything up to and including the breakpoint." `owner`: key and model. */
  of(prompt: Prompt, owner: string): Prefix[] {
    let hash = this.numberOf(owner);
    let tokens = 0;
    let isInMessages = false;
    return prompt.blocks.map((block) => {
      if (block.level === 'messages' && !isInMessages) {
        hash = this.numberOf(`${String(hash)} parameters ${prompt.parameters}`);
        isInMessages = true;
      }
      hash = this.numberOf(`${String(hash)} ${block.level} ${String(block.opening.length)} ${block.opening}${block.text}`);
      tokens += block.tokens;
      return { hash, tokens };
    });
  }

  private numberOf(key: string): number {
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }
}

export function chained(previous: string, next: readonly string[]): string {
  return digest('sha256', JSON.stringify([previous, ...next]));
}
