import { setImmediate } from 'node:timers/promises';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { ruleConflicts, type RuleConflict } from '../../../engine/context/ruleConflicts.js';

/** So many rules of some pages are compared within the milliseconds that nobody feels. */
const COMPARED_AT_ONCE = 20;

/** More sentences hide what they are about. */
const MOST_CONFLICTS = 3;

/** Which items of a catalog say the same as one of it, or the opposite: the first ones. */
export async function findConflicts(item: CatalogItem, catalog: Catalog): Promise<readonly RuleConflict[]> {
  const all = [...catalog.values()];
  const found: RuleConflict[] = [];
  for (let from = 0; from < all.length && found.length < MOST_CONFLICTS; from += COMPARED_AT_ONCE) {
    found.push(...ruleConflicts(item, all.slice(from, from + COMPARED_AT_ONCE)));
    await setImmediate();
  }
  return found.slice(0, MOST_CONFLICTS);
}
