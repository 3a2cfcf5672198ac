import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/context/item.js';
import { failure } from '../../../engine/errors.js';
import type { CatalogSource } from './workspaceCatalog.js';

/** Adds the item of the catalog with this key to a chat. Rejects with `invalidInput` when it is gone. */
export async function addCatalogItem(
  chat: { addContext(item: SessionContextItem): Promise<void> },
  key: string,
  catalog: Pick<CatalogSource, 'read'>,
): Promise<void> {
  const item = (await catalog.read()).get(key);
  if (item === undefined) {
    throw failure('catalog.gone');
  }
  await chat.addContext(addedByHand(item));
}

/** What is added by hand is manual, whatever its file says. */
export function addedByHand({ type, name }: Pick<CatalogItem, 'type' | 'name'>): SessionContextItem {
  return { type, name, includeMode: 'manual', addedHash: null, given: null };
}
