import { itemOf, type Catalog } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/record/item.js';

/** The items with which a chat begins. Tools are in it without being added. */
export function alwaysItems(catalog: Catalog): readonly SessionContextItem[] {
  return [...catalog.values()]
    .filter(({ type, include, isEnabled, problem }) => type !== 'tool' && include === 'always' && isEnabled && problem?.code !== 'shadowed')
    .map((item) => ({ ...itemOf(item), includeMode: 'always', addedHash: null, given: null }));
}
