import type { LeftOutReason, RequestContextItem } from '../../engine/context/item.js';
import { leftOutText } from './leftOutText.js';

const BYTES_PER_MB = 1024 * 1024;

/** Why a request leaves out an item, in the words of a row that has its name; the sentence where no few words say it. */
export function leftOutBriefly(item: RequestContextItem, reason: LeftOutReason): string {
  switch (reason.code) {
    case 'disabled':
      return 'switched off';
    case 'missing':
    case 'notInCatalog':
      return 'missing';
    case 'tooLarge':
      return `${(reason.bytes / BYTES_PER_MB).toFixed(1)} MB, over the limit`;
    case 'tooLargeUnsaved':
      return 'over the limit';
    case 'binary':
      return 'not a text file';
    case 'notUtf8':
      return 'not UTF-8';
    case 'leadsOut':
      return 'outside the workspace';
    case 'shadowed':
      return `same file as ${reason.by}`;
    case 'restricted':
      return 'Restricted Mode';
    case 'serverFailed':
      return 'its server failed';
    default:
      return leftOutText(item, reason);
  }
}
