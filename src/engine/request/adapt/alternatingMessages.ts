import type { Capabilities } from '../../model/model.js';
import type { Block } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import { PrefixHash } from '../prefixHash.js';
import type { WireMessage } from '../../model/prompt.js';

/** Texts that the wire needs between the parts of a conversation. */
const NOTES = {
  /** Separates tool results from the user's next message, for providers that take no user content after results. */
  interrupted: { role: 'assistant', text: '(The reply was stopped here.)' },
  /** Begins a conversation whose first message is on a damaged log line: the wire needs a user message first. */
  missing: { role: 'user', text: '(An earlier message is missing here.)' },
} as const;

/** Collects wire messages and keeps their roles alternating. */
export class AlternatingMessages {
  readonly #all: WireMessage[] = [];
  readonly #capabilities: Capabilities;
  readonly #factory: BlockFactory;
  readonly #prefix: PrefixHash;
  #blockCount: number;

  constructor(capabilities: Capabilities, factory: BlockFactory, before: readonly Block[]) {
    this.#capabilities = capabilities;
    this.#factory = factory;
    this.#prefix = new PrefixHash(before, factory.sha256);
    this.#blockCount = before.length;
  }

  get all(): readonly WireMessage[] {
    return this.#all;
  }

  get prefix(): string {
    return this.#prefix.value;
  }

  /** Number of all blocks so far, including those before the messages. */
  get blockCount(): number {
    return this.#blockCount;
  }

  get endsWithUser(): boolean {
    return this.#all.at(-1)?.role === 'user';
  }

  add(role: WireMessage['role'], blocks: readonly Block[]): void {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    const last = this.#all.at(-1);
    if (last === undefined && role === 'assistant') {
      this.#push('user', [this.#note('missing', first)]);
    }
    if (last?.role === role && this.#isBarred(last)) {
      this.#push('assistant', [this.#note('interrupted', first)]);
    }
    this.#push(role, blocks);
  }

  #push(role: WireMessage['role'], blocks: readonly Block[]): void {
    const last = this.#all.at(-1);
    if (last?.role === role) {
      this.#all[this.#all.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    } else {
      this.#all.push({ role, blocks });
    }
    this.#prefix.add(blocks);
    this.#blockCount += blocks.length;
  }

  #isBarred(last: WireMessage): boolean {
    return last.blocks.at(-1)?.role === 'tool-results' && !this.#capabilities.userContentAfterToolResults;
  }

  /** Makes a note to place in front of `block`, in the same tier. */
  #note(kind: keyof typeof NOTES, block: Block): Block {
    const { role, text } = NOTES[kind];
    const origin = { key: `${kind}:${block.key}`, role, category: 'conversation', item: null } as const;
    return { ...this.#factory.snapshotBlock(origin, { type: 'text', text }), tier: block.tier };
  }
}
