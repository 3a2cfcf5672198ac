import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { SystemPiece } from '../../../engine/request/gather.js';

/** The parts of a request that do not come from the chat. */
export interface RequestExtras {
  readonly fragments: readonly SystemPiece[];
  /** How well each catalog item matches the newest message. Null for a request without automatically selected items. */
  readonly scores: readonly Score[] | null;
  /** Messages that are not in the chat yet. */
  readonly newMessages: readonly SentMessage[];
  /** The tools of MCP servers as they were when the run began. Null for the tools as they are now. */
  readonly tools: readonly CatalogItem[] | null;
  /** The text after the conversation in a request for Loupe's own purposes. Null in a request for a reply. */
  readonly instruction: string | null;
}
