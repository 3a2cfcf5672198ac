import type { Catalog, CatalogItem } from '../../engine/context/catalogItem.js';
import { type ItemProofs, NEVER_HELD } from '../../engine/accounting/itemProof.js';
import type { ItemProofView, ProofFigures } from '../../protocol/panel/itemProof.js';
import { findDuplicates } from '../context/catalog/duplicateRules.js';
import type { ChatProofs } from './proofs.js';

/** Files that are rules for their folder and all below it. */
const OF_A_FOLDER = /^(?<folder>(?:.*\/)?)(?<name>AGENTS\.md|CLAUDE\.md)$/;

/** All that is to be said of an item of the catalog. */
export async function proofView(key: string, item: CatalogItem, catalog: Catalog, proofs: ChatProofs): Promise<ItemProofView> {
  const { chat, recent, latest } = proofs;
  return {
    key,
    chat: figures(key, chat),
    recent: figures(key, recent),
    lastAt: recent.items.get(key)?.lastAt ?? null,
    nearer: latest.has(key) ? nearerRules(item, catalog, latest) : [],
    duplicates: await findDuplicates(item, catalog),
  };
}

/** The paths of rule files of the same name in folders below that of `item`, among the items `held`: what they say comes after it. */
function nearerRules(item: Pick<CatalogItem, 'source'>, catalog: Catalog, held: ReadonlySet<string>): readonly string[] {
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

function figures(key: string, { requests, items }: ItemProofs): ProofFigures {
  const { lastAt: _lastAt, ...own } = items.get(key) ?? NEVER_HELD;
  return { requests, ...own };
}
