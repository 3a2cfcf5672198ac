import type { UsageTotals } from '../model/usage.js';
import type { SentMessage, SummaryMessage } from './message/message.js';
import type { Timeline } from './timeline.js';

/** How much of a chat is loaded. The figures of a chat are the same in both cases. */
export type Extent =
  | { readonly extent: 'whole' }
  /** Only the messages after the restore point are loaded. `earlier` has figures about the messages before it. */
  | { readonly extent: 'end'; readonly earlier: EarlierPart };

/** Figures about the part of a chat that is not loaded. */
export interface EarlierPart {
  /** Number of conversation messages of this part on the current branch. */
  readonly messages: number;
  /** How many of these messages are sent in requests, because no compaction of this part replaces them. */
  readonly sent: number;
  /** Number of attempts in this part, including those of discarded branches. */
  readonly attempts: number;
  readonly totals: UsageTotals;
  /** The beginning of the chat. Null if this part has no conversation message. */
  readonly opening: Opening | null;
  /** Messages that requests still need: summaries, pinned messages, and calls and results that loaded tools. */
  readonly kept: Timeline;
}

/** Possible roles of the first message of a chat. Messages with other roles only record facts about the chat. */
export type OpeningRole = SentMessage['role'] | SummaryMessage['role'];

export interface Opening {
  /** The first line of the first message, without its full stop, cut to the length of a title. Empty without text. */
  readonly line: string;
  /** The first message on one line, without code fences, cut to the length of a preview. */
  readonly preview: string;
  /** Role of the first message that can be read: `user`, unless the user's message is on a damaged line. */
  readonly role: OpeningRole;
}
