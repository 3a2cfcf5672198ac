import type { Sha256 } from '../ports.js';
import type { Block } from './block.js';

/**
 * The hash of a growing sequence of blocks: equal for equal roles and contents in the same order. Cache marks are no
 * content. It is computed when it is asked for, and then only over what came since the last time.
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

  /** SHA-256 (hex) of the value before the last block and the hash of that block, and so on to the first. */
  get value(): string {
    for (const { hash } of this.#pending) {
      this.#value = this.#sha256(this.#value + hash);
    }
    this.#pending = [];
    return this.#value;
  }
}
