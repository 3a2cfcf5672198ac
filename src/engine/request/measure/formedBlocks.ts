import type { Block } from '../../model/block.js';

/** Most forms of a text in memory: the whole file, and a few lengths while a cut is searched. */
const FORMS_KEPT = 8;

/** Most characters of texts in memory: several context windows of a million tokens, more than a request can hold. */
const CHARACTERS_KEPT = 16 * 1024 * 1024;

interface CachedForms {
  readonly source: string;
  readonly blocks: Map<string, Block>;
}

/** The origin of a block: a text, in one of several forms. */
export interface FormSource {
  readonly key: string;
  readonly source: string;
  readonly form: string;
}

/** Caches blocks by key, for the latest text of each key. So previews do not process an unchanged text again. */
export class FormedBlocks {
  /** In the order of their last use. */
  readonly #kept = new Map<string, CachedForms>();

  find({ key, source, form }: FormSource, make: () => Block): Block {
    const before = this.#kept.get(key);
    const kept: CachedForms = before?.source === source ? before : { source, blocks: new Map<string, Block>() };
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
