import { itemKey, type ContextItemBase, type LeftOutReason } from '../../engine/context/item.js';
import { problemText } from '../files/refusal.js';

/** Why a request did not hold an item, as a sentence. */
export function leftOutText(item: ContextItemBase, reason: LeftOutReason): string {
  return reason.code === 'notInCatalog' ? `${itemKey(item)} is not in the catalog any more.` : problemText(item.name, reason);
}
