/** Version of the log line format. A chat with lines of a newer version or an unknown type opens read-only. */
export const LOG_VERSION = 3;

/** The first released version. Lines of older versions cannot be read. */
export const OLDEST_LOG_VERSION = 2;

/** Order and time of an event. The journal adds the stamp to each new event. */
export interface EventStamp {
  readonly v: number;
  /** Lamport clock: greater than every `seq` that its writer has seen. */
  readonly seq: number;
  readonly id: string;
  /** Time of the event in epoch milliseconds, for display only. Events are ordered by `seq`. */
  readonly at: number;
  /** Id of the VS Code window that wrote the event, new at each start. In the log file's name, not in its lines. */
  readonly writer: string;
}

/** The part of a stamp that the fold needs. The caller creates it for events that are not logged. */
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
