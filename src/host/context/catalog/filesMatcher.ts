import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/context/item.js';
import { parseSelectionName } from '../selectionName.js';

/** The items that are for the files of a chat: a preview at each key asks for the same. */
interface Matched {
  readonly files: string;
  readonly items: ReadonlySet<CatalogItem>;
}

const known = new WeakMap<Catalog, Matched>();

/** Tells whether an item of the catalog is for one of the files in a chat, or for one that a selection in it is from. */
export function filesMatcher(catalog: Catalog, context: ReadonlyMap<string, SessionContextItem>): (item: CatalogItem) => boolean {
  const paths = [...context.values()].flatMap(({ type, name }) => (type === 'file' ? [parseSelectionName(name).path] : []));
  const files = paths.join('\n');
  const before = known.get(catalog);
  const matched = before?.files === files ? before : { files, items: matchedItems(catalog, paths) };
  known.set(catalog, matched);
  return (item) => matched.items.has(item);
}

function matchedItems(catalog: Catalog, paths: readonly string[]): ReadonlySet<CatalogItem> {
  return new Set([...catalog.values()].filter(({ applies }) => applies !== null && paths.some(applies.matches)));
}
