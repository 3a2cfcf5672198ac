import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '../../engine/chat/event.js';
import { snapshotOf } from '../../engine/chat/snapshot.js';
import { compareStamps } from '../../engine/chat/order/stamp.js';
import { failure } from '../../engine/errors.js';
import { inWriterOrder } from '../log/chatReader.js';
import { segmentName } from '../files/layout.js';
import { LogFold } from './logFold.js';
import { LogMerge, type LogRest } from '../log/logMerge.js';
import { bytesBefore, type RestorePoint } from './restorePoint.js';
import { readOnlyReason, type SegmentFault } from '../log/segment.js';
import { SegmentChanged } from '../log/segmentCursor.js';

/** Restore points are made only in this many last steps. It is more than one: a run may be longer than a step. */
const NEAR_STEPS = 4;

/** Follows a reading that may take seconds, and can cancel it. */
export interface ReadWatch {
  /** Called with the share that was read, from 0 to 1. */
  readonly progress: (share: number) => void;
  /** When it aborts, the reading rejects with `cancelled`. */
  readonly signal: AbortSignal;
}

export interface ReadingParts {
  readonly folder: string;
  /** Where the fold continues; null for the beginning. */
  readonly start: RestorePoint | null;
  /** The reader's own events in order, taken before the call. They may already be on the disk. */
  readonly unsaved: readonly ChatEvent[];
  /** A restore point holds at least this many messages; see `snapshotOf`. */
  readonly wanted: number;
  /** The fewest bytes of log between two restore points. */
  readonly step: number;
  readonly watch: ReadWatch;
}

export interface LogReading extends LogRest {
  readonly log: LogFold;
  /** Restore points found during the reading, oldest first. A later fold can continue from them. */
  readonly points: readonly RestorePoint[];
  /** Length of the whole log in bytes. */
  readonly length: number;
}

/**
 * Reads a log in pieces and folds them. Memory holds little more than the state, and each piece takes some
 * milliseconds. `isSorted` is for a log in which an event came too late for its place: it holds all events in memory.
 * Throws the errors of `LogMerge`, and `cancelled`.
 */
async function readLog(parts: ReadingParts, isSorted: boolean): Promise<LogReading> {
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
  const unsaved = new UnsavedEvents(parts.unsaved, take);
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
    // Yields to the event loop. Without this, V8's garbage collector also marks in one pause of 60 ms and more.
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

/** Unsaved events, taken at their place among the saved ones. */
class UnsavedEvents {
  readonly #events: ChatEvent[];
  readonly #take: (event: ChatEvent) => void;

  constructor(events: readonly ChatEvent[], take: (event: ChatEvent) => void) {
    this.#events = [...events];
    this.#take = take;
  }

  /** Takes the unsaved events before `saved`, which may be one of them. */
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
   * Whether to make a restore point here. Points are made only near the end, each after at least as many bytes as are
   * left. So there are few of them in a log of any length.
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
   * Whether to make a restore point at the end of the log. A whole log with points gets a last one there. Without it,
   * the next update would read the whole log if a later event referred to something before the other points.
   */
  get isDueAtEnd(): boolean {
    const isOfWhole = this.#parts.start === null && this.found.length > 0;
    return this.isDue || (isOfWhole && this.#isPossible && this.#merge.taken > this.#takenAtLast);
  }

  get #isPossible(): boolean {
    return this.#log.isQuiet && this.#parts.unsaved.length === 0;
  }

  /** No event may be taken while this runs. */
  async add(): Promise<void> {
    const { start, wanted } = this.#parts;
    const { fold, last } = this.#log;
    const faults = inWriterOrder(joined(start?.faults ?? [], this.#merge.faults()));
    // Another version of Loupe would fold a log with unknown lines differently.
    const isRight = this.#log.isRight && !this.#merge.tookUnended && !this.#merge.hasUnreadable && readOnlyReason(faults) === null;
    const snapshot = isRight && fold !== null ? await snapshotOf(fold.state, wanted, setImmediate) : null;
    if (snapshot !== null && last !== null) {
      this.found.push({ snapshot, position: this.#merge.position(), last: { seq: last.seq, writer: last.writer }, faults });
      this.#takenAtLast = this.#merge.taken;
    }
  }
}

function joined(
  before: readonly SegmentFault[],
  found: ReadonlyMap<string, readonly SegmentFault[]>,
): ReadonlyMap<string, readonly SegmentFault[]> {
  return new Map(
    [...found].map(([writer, faults]) => [writer, [...before.filter(({ segment }) => segment === segmentName(writer)), ...faults]]),
  );
}

/** Returns null when the result differs from that of the whole log, or the segments do not fit the restore point. */
export async function readFromPoint(start: RestorePoint, parts: Omit<ReadingParts, 'start'>): Promise<LogReading | null> {
  try {
    const reading = await readLog({ ...parts, start }, false);
    return reading.log.isRight ? reading : null;
  } catch (thrown) {
    if (thrown instanceof SegmentChanged) {
      return null;
    }
    throw thrown;
  }
}

export async function readWhole(parts: Omit<ReadingParts, 'start'>): Promise<LogReading> {
  const reading = await readLog({ ...parts, start: null }, false);
  return reading.log.isRight ? reading : readLog({ ...parts, start: null }, true);
}
