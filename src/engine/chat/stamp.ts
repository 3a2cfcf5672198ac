/**
 * Version of the log line format. A chat with a line of a newer version, or of a type that is not known here,
 * opens read-only: showing part of a history that a newer Loupe has steered would be wrong silently.
 */
export const LOG_VERSION = 2;

/** The first version that was released: lines of an older one cannot be read. */
export const OLDEST_LOG_VERSION = 2;

/** What the journal adds to each draft. */
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

/** What the fold needs of a stamp; drafts that are only shown have one made up by the caller. */
export type FoldStamp = Pick<EventStamp, 'at' | 'writer'>;

/** What the order of events goes by. */
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
