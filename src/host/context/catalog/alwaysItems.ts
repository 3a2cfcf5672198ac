import type { Catalog } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/context/item.js';

/** The items with which a chat begins. */
export function alwaysItems(catalog: Catalog): readonly SessionContextItem[] {
  return [...catalog.values()]
    .filter(({ include, isEnabled, problem }) => include === 'always' && isEnabled && problem?.code !== 'shadowed')
    .map(({ type, name }) => ({ type, name, includeMode: 'always', addedHash: null, given: null }));
}
