import { stemmer } from 'stemmer';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { LexicalIndex, type RankedTexts, type Score } from '../../../engine/context/rank/lexical.js';
import { MESSAGE_BACKGROUND } from '../../../engine/context/rank/words.js';
import { isRanked } from '../../../engine/context/select.js';
import { pauses } from './pauses.js';

const HEADING = /^#{1,6}[ \t]+(.+)$/gm;

/** Ranks catalog items for a message. After a change of the catalog, only the changed items are indexed again. */
export class CatalogRanker {
  readonly #index = new LexicalIndex(stemmer, MESSAGE_BACKGROUND);
  #items: Catalog = new Map();
  /** Resolves when the index contains the catalog of the latest call of `rank`. */
  #updated: Promise<void> = Promise.resolve();

  /** Returns at most `most` fitting items, best first. Omits `onDemand` tools if the model loads tools on demand. */
  async rank(
    catalog: Catalog,
    message: string,
    { most, loadsTools }: { readonly most: number; readonly loadsTools: boolean },
  ): Promise<readonly Score[]> {
    this.#updated = this.#updated.then(() => this.#update(catalog));
    await this.#updated;
    const loaded = loadsTools ? [...catalog.values()].filter(({ include }) => include === 'onDemand').length : 0;
    const scores = this.#index.rank(message, most + loaded);
    return loaded === 0 ? scores : scores.filter(({ key }) => catalog.get(key)?.include !== 'onDemand').slice(0, most);
  }

  async #update(catalog: Catalog): Promise<void> {
    if (catalog === this.#items) {
      return;
    }
    for (const key of this.#items.keys()) {
      if (!catalog.has(key)) {
        this.#index.delete(key);
      }
    }
    const pause = pauses();
    for (const [key, item] of catalog) {
      if (this.#items.get(key) !== item) {
        this.#put(key, item);
      }
      await pause();
    }
    this.#items = catalog;
  }

  #put(key: string, item: CatalogItem): void {
    if (isRanked(item)) {
      this.#index.put(rankedTexts(key, item));
    } else {
      this.#index.delete(key);
    }
  }
}

function rankedTexts(key: string, { name, description, text }: CatalogItem): RankedTexts {
  const body = text ?? '';
  return { key, name, description, headings: [...body.matchAll(HEADING)].map(([, heading]) => heading).join('\n'), body };
}
