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

/** Restore points are in the last `NEAR_STEPS * step` bytes of a log. A run without restore points can fill a step. */
const NEAR_STEPS = 4;

/** Reports the progress of a reading that may take seconds, and can cancel it. */
export interface ReadWatch {
  /** Called with the share of the log that was read, from 0 to 1. */
  readonly progress: (share: number) => void;
  /** When this signal aborts, the reading rejects with `cancelled`. */
  readonly signal: AbortSignal;
}

export interface ReadingParts {
  readonly folder: string;
  /** The restore point from which to continue; null for the beginning of the log. */
  readonly start: RestorePoint | null;
  /** Events of this VS Code window, in order, that may not be on the disk yet. */
  readonly unsaved: readonly ChatEvent[];
  /** Minimum number of messages that a restore point must contain. See `snapshotOf`. */
  readonly wanted: number;
  /** Minimum number of bytes of log between two restore points. */
  readonly step: number;
  readonly watch: ReadWatch;
}

export interface LogReading extends LogRest {
  readonly log: LogFold;
  /** Restore points that were found during the reading, oldest first. */
  readonly points: readonly RestorePoint[];
  /** Length of the whole log in bytes. */
  readonly length: number;
}

/**
 * Reads a log in pieces and derives the state. Memory contains little more than the state, and each piece takes some
 * milliseconds. With `isSorted`, reads all events into memory and sorts them, for a log whose events are not in order.
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
    // Lets other work run. Without this pause, V8's garbage collector also blocks the thread for 60 ms or more.
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

/** Unsaved events, which the reader merges with the saved events. */
class UnsavedEvents {
  readonly #events: ChatEvent[];
  readonly #take: (event: ChatEvent) => void;

  constructor(events: readonly ChatEvent[], take: (event: ChatEvent) => void) {
    this.#events = [...events];
    this.#take = take;
  }

  /** Takes the unsaved events up to the event `saved`. If `saved` is one of the unsaved events, it is skipped. */
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
   * Whether to make a restore point here: near the end of the log, if at least as many bytes were read since the last
   * restore point as are left. So a log of any length has few restore points.
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
   * Whether to make a restore point at the end of a log. A reading of the whole log that found other restore points
   * makes another: a later event may refer to something that only a restore point at the end contains.
   */
  get isDueAtEnd(): boolean {
    const isOfWhole = this.#parts.start === null && this.found.length > 0;
    return this.isDue || (isOfWhole && this.#isPossible && this.#merge.taken > this.#takenAtLast);
  }

  get #isPossible(): boolean {
    return this.#log.isQuiet && this.#parts.unsaved.length === 0;
  }

  /** Makes a restore point. The caller must take no events until the promise resolves. */
  async add(): Promise<void> {
    const { start, wanted } = this.#parts;
    const { fold, last } = this.#log;
    const faults = inWriterOrder(joined(start?.faults ?? [], this.#merge.faults()));
    // A log with unknown lines gets no restore point, because a newer version of Loupe would derive another state.
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

/** Returns null if the state would differ from the state of the whole log, or if the segments do not match `start`. */
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
