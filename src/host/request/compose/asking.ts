import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { SystemPiece } from '../../../engine/request/gather.js';

/** The content of a request that is not in the chat. */
export interface RequestExtras {
  readonly fragments: readonly SystemPiece[];
  /** How well catalog items match the newest message, or null for a request without picked items. */
  readonly scores: readonly Score[] | null;
  /** Messages that are not in the chat yet. */
  readonly newMessages: readonly SentMessage[];
  /** The tools of the workspace's servers that the run began with. Null uses the current ones. */
  readonly tools: readonly CatalogItem[] | null;
  /** The instruction after the conversation in a request for Loupe's own purposes. Null in a request for a reply. */
  readonly instruction: string | null;
}
