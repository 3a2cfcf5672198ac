import { itemOf, type Catalog } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/record/item.js';

/** Returns the initial items of a new chat, without tools, which need not be added. */
export function alwaysItems(catalog: Catalog): readonly SessionContextItem[] {
  return [...catalog.values()]
    .filter(({ type, include, isEnabled, problem }) => type !== 'tool' && include === 'always' && isEnabled && problem?.code !== 'shadowed')
    .map((item) => ({ ...itemOf(item), includeMode: 'always', addedHash: null, given: null }));
}
