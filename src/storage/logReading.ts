import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '../engine/chat/event.js';
import { snapshotOf } from '../engine/chat/snapshot.js';
import { compareStamps } from '../engine/chat/stamp.js';
import { failure } from '../engine/errors.js';
import { inWriterOrder } from './chatReader.js';
import { segmentName } from './layout.js';
import { LogFold } from './logFold.js';
import { LogMerge, type ReadPosition } from './logMerge.js';
import { bytesBefore, type RestorePoint } from './restorePoint.js';
import { readOnlyReason, type SegmentFault } from './segment.js';

/** Where a restore point may be, in steps before the end: a single run may be longer than some of them. */
const NEAR_STEPS = 4;

/** Goes along with a reading that may take seconds. */
export interface ReadWatch {
  /** Told of the share that is read, from 0 to 1. */
  readonly progress: (share: number) => void;
  /** The reading then rejects with `cancelled`. */
  readonly signal: AbortSignal;
}

/** What is to be read of a chat. */
export interface ReadingParts {
  readonly folder: string;
  /** Where the fold goes on from; null for the beginning. */
  readonly start: RestorePoint | null;
  /** Events of the reader's own, in their order, that may or may not be on the disk yet; taken before the call. */
  readonly unsaved: readonly ChatEvent[];
  /** Messages that a restore point holds at least; see `snapshotOf`. */
  readonly wanted: number;
  /** Bytes of log between two restore points at least. */
  readonly step: number;
  readonly watch: ReadWatch;
}

/** A log as it was read. */
export interface LogReading {
  readonly log: LogFold;
  /** All of the log, by writer. */
  readonly faults: ReadonlyMap<string, readonly SegmentFault[]>;
  /** Those of last lines that are not ended, by writer; see `SegmentContent`. */
  readonly unfinished: ReadonlyMap<string, SegmentFault>;
  readonly position: ReadPosition;
  /** Places on the way that a later fold can go on from, oldest first. */
  readonly points: readonly RestorePoint[];
  /** Bytes of the log up to its end. */
  readonly length: number;
}

/**
 * Reads a log piece by piece and folds it on the way: memory holds the state and little else, and each piece takes some
 * milliseconds. `isSorted` is for a log in which an event came too late for its place: then all events are in memory at
 * once. Throws what `LogMerge` does, and `cancelled`.
 */
export async function readLog(parts: ReadingParts, isSorted: boolean): Promise<LogReading> {
  const log = new LogFold(parts.start);
  const toSort: ChatEvent[] = [];
  const take = (event: ChatEvent): void => {
    if (isSorted) {
      toSort.push(event);
    } else {
      log.take(event);
    }
  };
  const { folder, start, watch } = parts;
  const merge = await LogMerge.open(folder, start?.position ?? null);
  const unsaved = new Unsaved(parts.unsaved, take);
  const points = new Points(parts, merge, log);
  while (await merge.fill()) {
    if (watch.signal.aborted) {
      throw failure('chat.readingCancelled');
    }
    for (let event = merge.take(); event !== null; event = merge.take()) {
      unsaved.before(event);
      take(event);
      if (points.isDue) {
        await points.add();
      }
    }
    // A turn of the event loop for others, and for V8: without one its garbage collector marks in one pause of 60 ms and more.
    await setImmediate();
    watch.progress(merge.length === 0 ? 1 : Math.min(1, merge.taken / merge.length));
  }
  unsaved.rest();
  log.takeAll(toSort);
  log.end();
  if (points.isDueAtEnd) {
    await points.add();
  }
  const { faults, unfinished, position } = merge.rest();
  const length = merge.length + (start === null ? 0 : bytesBefore(start));
  return { log, faults: joined(start?.faults ?? [], faults), unfinished, position, points: points.found, length };
}

/** Events that are not on the disk yet, put where they belong among those that are. */
class Unsaved {
  readonly #events: ChatEvent[];
  readonly #take: (event: ChatEvent) => void;

  constructor(events: readonly ChatEvent[], take: (event: ChatEvent) => void) {
    this.#events = [...events];
    this.#take = take;
  }

  /** Takes those before `saved`, which may be one of them. */
  before(saved: ChatEvent): void {
    for (let first = this.#events[0]; first !== undefined && compareStamps(first, saved) <= 0; first = this.#events[0]) {
      this.#events.shift();
      if (first.id !== saved.id) {
        this.#take(first);
      }
    }
  }

  rest(): void {
    this.#events.splice(0).forEach(this.#take);
  }
}

/** Finds the places of a log that a later fold can go on from. */
class Points {
  readonly found: RestorePoint[] = [];
  readonly #parts: ReadingParts;
  readonly #merge: LogMerge;
  readonly #log: LogFold;
  readonly #length: number;
  #takenAtLast = 0;

  constructor(parts: ReadingParts, merge: LogMerge, log: LogFold) {
    this.#parts = parts;
    this.#merge = merge;
    this.#length = merge.length;
    this.#log = log;
  }

  /**
   * Whether there is to be one here. Only near the end, and where at least as much came since the last one as is still
   * to come, so that there are few of them however long the log is.
   */
  get isDue(): boolean {
    if (!this.#isPossible) {
      return false;
    }
    const { taken } = this.#merge;
    const left = this.#length - taken;
    return left <= this.#parts.step * NEAR_STEPS && taken - this.#takenAtLast >= Math.max(this.#parts.step, left);
  }

  /**
   * The same once all was taken. A whole log that has points gets one at its end, too: where something behind the others
   * goes back before them, nothing else keeps the next update from reading all again.
   */
  get isDueAtEnd(): boolean {
    const isOfWhole = this.#parts.start === null && this.found.length > 0;
    return this.isDue || (isOfWhole && this.#isPossible && this.#merge.taken > this.#takenAtLast);
  }

  get #isPossible(): boolean {
    return this.#log.isQuiet && this.#parts.unsaved.length === 0;
  }

  /** Nothing may be taken meanwhile. */
  async add(): Promise<void> {
    const { start, wanted } = this.#parts;
    const { fold, last } = this.#log;
    const faults = inWriterOrder(joined(start?.faults ?? [], this.#merge.faults()));
    // Another version of Loupe would make something else of a log with lines that are unknown here.
    const isRight = this.#log.isRight && !this.#merge.tookUnended && !this.#merge.hasUnreadable && readOnlyReason(faults) === null;
    const snapshot = isRight && fold !== null ? await snapshotOf(fold.state, wanted, setImmediate) : null;
    if (snapshot !== null && last !== null) {
      this.found.push({ snapshot, position: this.#merge.position(), last: { seq: last.seq, writer: last.writer }, faults });
      this.#takenAtLast = this.#merge.taken;
    }
  }
}

/** Faults of segments, with those that were found behind them, by writer. */
function joined(
  before: readonly SegmentFault[],
  found: ReadonlyMap<string, readonly SegmentFault[]>,
): ReadonlyMap<string, readonly SegmentFault[]> {
  return new Map(
    [...found].map(([writer, faults]) => [writer, [...before.filter(({ segment }) => segment === segmentName(writer)), ...faults]]),
  );
}
