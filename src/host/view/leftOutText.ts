import { itemKey, type ContextItemBase, type LeftOutReason } from '../../engine/context/item.js';
import { problemText } from '../files/refusal.js';

/** Why a request did not hold an item, as a sentence. */
export function leftOutText(item: ContextItemBase, reason: LeftOutReason): string {
  switch (reason.code) {
    case 'notInCatalog':
      return `${itemKey(item)} is not in the catalog any more.`;
    case 'givenTextGone':
      return `The text that was added as ${item.name} cannot be read any more. ${reason.text}`;
    default:
      return problemText(item.name, reason);
  }
}
