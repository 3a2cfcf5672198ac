import { setImmediate } from 'node:timers/promises';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { duplicatesOf, type DuplicateRule } from '../../../engine/context/duplicateRules.js';

/** So many rules of some pages are compared within the milliseconds that nobody feels. */
const COMPARED_AT_ONCE = 20;

/** More sentences hide what they are about. */
const MOST_DUPLICATES = 3;

/** Which items of a catalog hold the text of one of it, or most of it: the first ones. */
export async function findDuplicates(item: CatalogItem, catalog: Catalog): Promise<readonly DuplicateRule[]> {
  const all = [...catalog.values()];
  const found: DuplicateRule[] = [];
  for (let from = 0; from < all.length && found.length < MOST_DUPLICATES; from += COMPARED_AT_ONCE) {
    found.push(...duplicatesOf(item, all.slice(from, from + COMPARED_AT_ONCE)));
    await setImmediate();
  }
  return found.slice(0, MOST_DUPLICATES);
}
