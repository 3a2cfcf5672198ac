import type { UsageTotals } from '../model/usage.js';
import type { SentMessage, SummaryMessage } from './message/message.js';
import type { Timeline } from './timeline.js';

/** How much of a chat is loaded. No figure depends on it. */
export type Extent =
  | { readonly extent: 'whole' }
  /** The chat from the restore point on, and figures about the part before it. */
  | { readonly extent: 'end'; readonly earlier: EarlierPart };

/** Figures about the part of a chat that is not loaded. */
export interface EarlierPart {
  /** Number of conversation messages on the current branch. */
  readonly messages: number;
  /** How many of these messages requests send, because no compaction of that part replaces them. */
  readonly sent: number;
  /** Number of attempts, including those of discarded branches. */
  readonly attempts: number;
  /** Usage of these attempts. */
  readonly totals: UsageTotals;
  /** Null if the part has no conversation message. */
  readonly opening: Opening | null;
  /** Messages that a request still needs: the checkpoint's summary, and pinned messages with their tool results. */
  readonly kept: Timeline;
}

/** Roles of messages that a chat can start with. All others are notes about the chat. */
export type OpeningRole = SentMessage['role'] | SummaryMessage['role'];

export interface Opening {
  /** The first line of the first message, without its full stop, cut to the length of a title. Empty without text. */
  readonly line: string;
  /** The first message on one line, without code fences, cut to the length of a preview. */
  readonly preview: string;
  /** Role of the first message: `user`, unless that message was on a damaged line. */
  readonly role: OpeningRole;
}
