/**
 * Version of the log line format. A chat with a line of a newer version or of an unknown type opens read-only: Loupe
 * cannot know what such a line changes, so the state it folds may be wrong.
 */
export const LOG_VERSION = 2;

/** The first released version. Lines of an older version cannot be read. */
export const OLDEST_LOG_VERSION = 2;

/** What the journal adds to each new event. */
export interface EventStamp {
  readonly v: number;
  /** Lamport clock: greater than every `seq` its writer had seen. */
  readonly seq: number;
  readonly id: string;
  /** Epoch milliseconds; for display only, order is by `seq`. */
  readonly at: number;
  /** Id of the writing window's activation: the name of the segment, not a member of the line. */
  readonly writer: string;
}

/** The part of a stamp that the fold needs. For events that are only shown, the caller makes it up. */
export type FoldStamp = Pick<EventStamp, 'at' | 'writer'>;

/** The part of a stamp that orders events. */
export type Stamp = Pick<EventStamp, 'seq' | 'writer'>;

/** By Lamport clock, then by writer id; no two events of a chat are equal, since a writer never repeats a seq. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a.seq !== b.seq) {
    return a.seq - b.seq;
  }
  if (a.writer === b.writer) {
    return 0;
  }
  return a.writer < b.writer ? -1 : 1;
}
