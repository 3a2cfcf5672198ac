import { type PendingUse, type Prompt, type PromptBlock, chained, totalTokens } from './prompt.js';
import type { TokenCounter } from './tokens.js';

// The cache of OpenAI's "Prompt caching" guide (https://developers.openai.com/api/docs/guides/prompt-caching) for
// models without explicit breakpoints (before GPT-5.6). Quotations are from there.

export interface AutomaticCacheRules {
  /** "Caching is available for prompts containing 1024 tokens or more." */
  readonly minimumTokens: number;
  /** "Cache hits occur for every 128 additional identical tokens" (Azure's page on the same caches). */
  readonly stepTokens: number;
  /** "generally remain active for 5 to 10 minutes of inactivity, up to a maximum of one hour". In ms. */
  readonly idleLifetime: number;
}

interface Node {
  readonly block: PromptBlock;
  /** The last ms in which it can be read. */
  expires: number;
  readonly next: Branches;
}

type Branches = Map<string, Node>;

/** The prompts that the machines have seen, as trees of blocks. */
export class AutomaticCache {
  private readonly machines = new Map<string, Branches>();
  private readonly counter: TokenCounter;

  constructor(counter: TokenCounter) {
    this.counter = counter;
  }

  /** The machine learns the prompt at `begin` ("caching the prefix afterward"). `now` is in ms. */
  use(prompt: Prompt, owner: string, { cacheKey, rules, now }: { cacheKey: string; rules: AutomaticCacheRules; now: number }): PendingUse {
    const machine = this.machine(`${owner} ${JSON.stringify(cacheKey)}`);
    const read = inSteps(this.matched(machine, prompt.blocks, now), rules);
    return {
      use: { read, written5m: 0, written1h: 0, fresh: totalTokens(prompt) - read },
      begin: () => {
        learn(machine, prompt.blocks, now + rules.idleLifetime);
      },
    };
  }

  evict(): void {
    this.machines.clear();
  }

  /** Each `prompt_cache_key` has its own machine. */
  private machine(name: string): Branches {
    const known = this.machines.get(name);
    if (known !== undefined) {
      return known;
    }
    const fresh: Branches = new Map();
    this.machines.set(name, fresh);
    return fresh;
  }

  /** Tokens of the longest live prefix. It can end inside a block. */
  private matched(machine: Branches, blocks: readonly PromptBlock[], now: number): number {
    let branches = machine;
    let tokens = 0;
    for (const block of blocks) {
      const node = branches.get(identity(block));
      if (node === undefined || node.expires < now) {
        return tokens + this.sharedBeginning(branches, block, now);
      }
      tokens += block.tokens;
      branches = node.next;
    }
    return tokens;
  }

  /** Tokens of the common beginning with the blocks at the same place. */
  private sharedBeginning(branches: Branches, block: PromptBlock, now: number): number {
    const framing = block.tokens - this.counter.count(block.text);
    const shared = [...branches.values()]
      .filter((node) => node.expires >= now && node.block.opening === block.opening)
      .map((node) => framing + this.counter.countShared(commonBeginning(node.block.text, block.text)));
    return Math.max(0, ...shared);
  }
}

function learn(machine: Branches, blocks: readonly PromptBlock[], expires: number): void {
  let branches = machine;
  for (const block of blocks) {
    const name = identity(block);
    const node = branches.get(name) ?? { block, expires, next: new Map() };
    node.expires = Math.max(node.expires, expires);
    branches.set(name, node);
    branches = node.next;
  }
}

function identity(block: PromptBlock): string {
  return chained(block.opening, [block.text]);
}

function commonBeginning(a: string, b: string): string {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) {
    length += 1;
  }
  return a.slice(0, length);
}

/** "After the first 1,024 tokens, cache hits occur for every 128 additional identical tokens." */
function inSteps(matched: number, { minimumTokens, stepTokens }: AutomaticCacheRules): number {
  return matched < minimumTokens ? 0 : minimumTokens + Math.floor((matched - minimumTokens) / stepTokens) * stepTokens;
}
