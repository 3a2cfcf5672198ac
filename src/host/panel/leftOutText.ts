import { itemKey, type ContextItemBase, type LeftOutReason } from '../../engine/context/item.js';
import { problemText } from '../context/files/refusal.js';

/** Why a request left out an item: in two words where they say all, else as a sentence. */
export function leftOutText(item: ContextItemBase, reason: LeftOutReason): string {
  switch (reason.code) {
    case 'notInCatalog':
      return `${itemKey(item)} is no longer available.`;
    case 'disabled':
      return `${item.name} is switched off in its file.`;
    case 'restricted':
      return `${item.name} is not sent in Restricted Mode: this workspace is not trusted.`;
    case 'givenTextGone':
      return `The added text ${item.name} cannot be read. ${reason.text}`;
    case 'noRoom':
      return 'no room';
    default:
      return problemText(item.name, reason);
  }
}
