import type { Catalog, CatalogItem } from '../../engine/context/catalogItem.js';
import { type ItemProofs, NEVER_HELD } from '../../engine/accounting/itemProof.js';
import type { ItemProofView, ProofFigures } from '../../protocol/panel/itemProof.js';
import { findDuplicates } from '../context/catalog/duplicateRules.js';
import type { ChatProofs } from './proofs.js';

/** Rule files that apply to their folder and everything below it. */
const OF_A_FOLDER = /^(?<folder>(?:.*\/)?)(?<name>AGENTS\.md|CLAUDE\.md)$/;

/** Returns the usage figures of a catalog item, with nearer rule files and duplicates. */
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

/** Returns rule files of the same name in subfolders. Requests place their rules after those of `item`. */
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
