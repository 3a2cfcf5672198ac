import type { UsageTotals } from '../model/usage.js';
import type { SentMessage, SummaryMessage } from './message/message.js';
import type { Timeline } from './timeline.js';

/** How much of a chat is loaded. The type of a chat says which; no figure depends on it. */
export type Extent =
  | { readonly extent: 'whole' }
  /** The chat from the restore point on, and figures about what is before it. */
  | { readonly extent: 'end'; readonly earlier: Earlier };

/** What is known of the part of a chat that is not loaded. */
export interface Earlier {
  /** Number of conversation messages on the current branch. */
  readonly messages: number;
  /** How many of these no compaction of that part replaces: a request sends them. */
  readonly sent: number;
  /** Number of attempts, with those of discarded branches. */
  readonly attempts: number;
  /** The ledger of these attempts. */
  readonly totals: UsageTotals;
  /** Null when the part holds no message of the conversation. */
  readonly opening: Opening | null;
  /** The messages of that part that a request still needs: the checkpoint's summary, and pinned messages with their tool results. */
  readonly kept: Timeline;
}

/** The roles of what a chat can begin with: all else is a note about it. */
export type OpeningRole = SentMessage['role'] | SummaryMessage['role'];

/** The beginning of a chat, for a list of chats. */
export interface Opening {
  /** The first line of text of the first message without its full stop, cut to the length of a title; empty when it has none. */
  readonly line: string;
  /** The first message in one line, without the fences of code, cut to the length of a preview. */
  readonly preview: string;
  /** Its role: that of a user, unless their message was on a damaged line. */
  readonly role: OpeningRole;
}
