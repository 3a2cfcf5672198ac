import type { Block } from '../../model/block.js';

/** A large file is looked at as a whole, and at the few lengths that a cut is looked for at. */
const FORMS_KEPT = 8;

/** Most characters of texts in memory: several context windows of a million tokens, more than can be sent. */
const CHARACTERS_KEPT = 16 * 1024 * 1024;

interface Kept {
  readonly source: string;
  readonly blocks: Map<string, Block>;
}

/** What a block is made of: a text, in one of several forms. */
export interface Formed {
  readonly key: string;
  readonly source: string;
  readonly form: string;
}

/** Blocks by key, each of the latest text of its key. So a text that stays the same is not looked through for each preview. */
export class FormedBlocks {
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();

  /** The block of a text in a form; `make` makes it where it is not kept. */
  find({ key, source, form }: Formed, make: () => Block): Block {
    const before = this.#kept.get(key);
    const kept: Kept = before?.source === source ? before : { source, blocks: new Map<string, Block>() };
    const block = kept.blocks.get(form) ?? make();
    moveToEnd(kept.blocks, form, block);
    const [oldest] = kept.blocks.keys();
    if (oldest !== undefined && kept.blocks.size > FORMS_KEPT) {
      kept.blocks.delete(oldest);
    }
    moveToEnd(this.#kept, key, kept);
    if (kept !== before) {
      this.#forget();
    }
    return block;
  }

  #forget(): void {
    let characters = [...this.#kept.values()].reduce((sum, { source }) => sum + source.length, 0);
    for (const [key, { source }] of this.#kept) {
      if (characters <= CHARACTERS_KEPT) {
        return;
      }
      this.#kept.delete(key);
      characters -= source.length;
    }
  }
}

function moveToEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
