import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { SystemPiece } from '../../../engine/request/gather.js';

/** What a request holds in addition to the chat. */
export interface Asking {
  readonly fragments: readonly SystemPiece[];
  /** How well items of the catalog fit the newest message; null for a request that takes none. */
  readonly scores: readonly Score[] | null;
  /** Messages that are not in the chat yet. */
  readonly more: readonly SentMessage[];
  /** The tools of the workspace's servers, for a run that goes on with those that it began with; null for what there is now. */
  readonly tools: readonly CatalogItem[] | null;
  /** What a request for Loupe itself asks for, behind the conversation; null in a request for a reply. */
  readonly instruction: string | null;
}
