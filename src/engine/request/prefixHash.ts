import type { Sha256 } from '../ports.js';
import type { Block } from '../model/block.js';

/**
 * The hash of a growing sequence of blocks: equal for equal roles and contents in the same order. Breakpoints do not
 * count. Reading it hashes only the blocks added since the last read.
 */
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

  /** SHA-256 (hex) of the value before the last block + the hash of that block, recursively. Starts at the SHA-256 of ''. */
  get value(): string {
    for (const { hash } of this.#pending) {
      this.#value = this.#sha256(this.#value + hash);
    }
    this.#pending = [];
    return this.#value;
  }
}
