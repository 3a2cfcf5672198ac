import type { Sha256 } from '../ports.js';
import type { Block } from '../model/block.js';

/** Hashes a growing sequence of blocks, without breakpoints. Reading `value` hashes only the blocks not hashed yet. */
export class PrefixHash {
  readonly #sha256: Sha256;
  #value: string;
  #pending: Block[];

  constructor(blocks: readonly Block[], sha256: Sha256) {
    this.#sha256 = sha256;
    this.#value = sha256('');
    this.#pending = [...blocks];
  }

  add(blocks: readonly Block[]): void {
    this.#pending.push(...blocks);
  }

  /** For each block: SHA-256 (hex) of the previous value followed by the block's hash. Starts at the SHA-256 of ''. */
  get value(): string {
    for (const { hash } of this.#pending) {
      this.#value = this.#sha256(this.#value + hash);
    }
    this.#pending = [];
    return this.#value;
  }
}
