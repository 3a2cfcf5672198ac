import type { Catalog, CatalogItem } from './catalogItem.js';

/** Files that are rules for their folder and all below it. */
const OF_A_FOLDER = /^(?<folder>(?:.*\/)?)(?<name>AGENTS\.md|CLAUDE\.md)$/;

/** The paths of rule files of the same name in folders below that of `item`, among the items `held`: what they say comes after it. */
export function nearerRules(item: Pick<CatalogItem, 'source'>, catalog: Catalog, held: ReadonlySet<string>): readonly string[] {
  const own = OF_A_FOLDER.exec(item.source)?.groups;
  if (own === undefined) {
    return [];
  }
  return [...catalog].flatMap(([key, { source }]) => {
    const other = OF_A_FOLDER.exec(source)?.groups;
    const isBelow = other?.['name'] === own['name'] && source !== item.source && source.startsWith(own['folder'] ?? '');
    return isBelow && held.has(key) ? [source] : [];
  });
}
