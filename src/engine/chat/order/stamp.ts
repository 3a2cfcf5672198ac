/**
 * Version of the log line format. A chat with a line of a newer version or an unknown type opens read-only, because
 * Loupe may fold its state incorrectly.
 */
export const LOG_VERSION = 2;

/** The first released version. Older lines cannot be read. */
export const OLDEST_LOG_VERSION = 2;

/** Added to each new event by the journal. */
export interface EventStamp {
  readonly v: number;
  /** Lamport clock: greater than every `seq` that its writer has seen. */
  readonly seq: number;
  readonly id: string;
  /** Epoch milliseconds, for display only. The order is by `seq`. */
  readonly at: number;
  /** Id of the writing window's activation. It is the name of the segment and not in the log line. */
  readonly writer: string;
}

/** The part of a stamp that the fold needs. For events that are only shown, the caller creates it. */
export type FoldStamp = Pick<EventStamp, 'at' | 'writer'>;

/** The part of a stamp that orders events. */
export type Stamp = Pick<EventStamp, 'seq' | 'writer'>;

/** Compares by Lamport clock, then by writer id. Events of a chat never compare equal: a writer never repeats a seq. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a.seq !== b.seq) {
    return a.seq - b.seq;
  }
  if (a.writer === b.writer) {
    return 0;
  }
  return a.writer < b.writer ? -1 : 1;
}
