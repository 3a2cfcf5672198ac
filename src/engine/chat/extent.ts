import type { UsageTotals } from '../accounting/usage.js';
import type { Timeline } from './timeline.js';

/** How much of a chat is in memory. The type of a chat says which, and no figure depends on it. */
export type Extent =
  | { readonly extent: 'whole' }
  /** All from the restore point on, and what is told of what stands before it. */
  | { readonly extent: 'end'; readonly earlier: Earlier };

/** What stands before the end of a chat, as far as it is told of without being there. */
export interface Earlier {
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Attempts, those of branches that were left included. */
  readonly attempts: number;
  /** The ledger of these attempts. */
  readonly totals: UsageTotals;
  /** Null when there is no user message among them. */
  readonly opening: Opening | null;
  /** Messages that a request needs though they stand there: the checkpoint's summary, and those that are pinned. */
  readonly kept: Timeline;
}

/** How a chat begins, as far as a list of chats shows it. */
export interface Opening {
  /** The first line of the first message; empty when that has no text. */
  readonly line: string;
  /** The first message, its white space folded. */
  readonly preview: string;
}
