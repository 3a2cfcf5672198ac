import type { Catalog, CatalogItem } from '../../engine/context/catalogItem.js';
import { type ItemProofs, NEVER_HELD } from '../../engine/context/itemProof.js';
import { nearerRules } from '../../engine/context/nearerRules.js';
import type { ItemProofView, ProofFigures } from '../../protocol/itemProof.js';
import { findDuplicates } from '../context/catalog/findDuplicates.js';
import type { ChatProofs } from './proofs.js';

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

function figures(key: string, { requests, items }: ItemProofs): ProofFigures {
  const { lastAt: _lastAt, ...own } = items.get(key) ?? NEVER_HELD;
  return { requests, ...own };
}
