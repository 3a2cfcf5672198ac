import type { ChatEvent } from '../../engine/chat/event.js';
import type { ChatFold } from '../../engine/chat/fold.js';
import type { Stamp } from '../../engine/chat/stamp.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ChatSnapshot } from '../../engine/chat/snapshot.js';
import type { ChatContent } from '../chatReader.js';
import type { ReadPosition } from '../logMerge.js';
import type { SegmentFault } from '../segment.js';

/** A place in the log of a chat where a fold can begin, kept in the chat's derived index. */
export interface Place {
  readonly snapshot: ChatSnapshot;
  /** Up to where each segment is in the snapshot. */
  readonly position: ReadPosition;
  /** The greatest stamp in the snapshot: everything after it has a greater one. */
  readonly last: Stamp;
  /** All faults of the segments up to there. */
  readonly faults: readonly SegmentFault[];
  /** Whether to begin here though fewer messages stand behind it than are wanted: more would take long to read, or there are no more. */
  readonly isEnough: boolean;
}

/** A chat as it was read: from a place on, or whole. */
export interface OpenedChat extends ChatContent {
  readonly fold: ChatFold;
  /** Where the fold begins; null when it is that of the whole log. */
  readonly start: Place | null;
  /** What was folded after `start`, in log order. */
  readonly events: readonly ChatEvent[];
}

/** What stands directly before a place. */
export interface EarlierPart {
  /** Where it begins itself; null at the beginning of the log. */
  readonly start: Place | null;
  /** The state at the place, as the fold from `start` gives it. */
  readonly state: ChatState;
  /** Faults that were not known when the index was written. */
  readonly faults: readonly SegmentFault[];
}

/** What a list of chats shows of one that rests. */
export interface ChatRow {
  readonly title: string | null;
  readonly opening: ChatSnapshot['earlier']['opening'];
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/** Goes along with a reading that may take seconds: that of a large chat without an index. */
export interface ReadWatch {
  /** Told of the share that is read, from 0 to 1. */
  readonly progress?: (share: number) => void;
  /** The reading then rejects with `cancelled`. */
  readonly signal?: AbortSignal;
}
