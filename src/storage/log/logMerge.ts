import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { compareStamps, type Stamp } from '../../engine/chat/order/stamp.js';
import { plainReason, systemCode, orIfMissing } from '../files/failure.js';
import { segmentName, segmentWriter } from '../files/layout.js';
import { UNREAD, type SegmentFault, type SegmentMark } from './segment.js';
import { SegmentChanged, SegmentCursor } from './segmentCursor.js';

/** How far each segment was read, by writer; null for an unreadable segment. */
export type ReadPosition = ReadonlyMap<string, SegmentMark | null>;

/** Minimum bytes to read from a segment: enough for several lines, but not too much for hundreds of segments. */
const LEAST_BYTES = 16 * 1_024;

/**
 * Number of bytes to read first from all segments together, and the maximum for each later piece of one segment. To
 * parse so many bytes takes some milliseconds, and garbage collection about the same. Both block the thread.
 */
const MOST_BYTES = 256 * 1_024;

/** Factor by which each piece is larger than the previous piece, so that large segments need few pieces. */
const GROWTH = 4;

/** The result of reading a log, without its events. */
export interface LogRest {
  readonly faults: ReadonlyMap<string, readonly SegmentFault[]>;
  /** The fault of a last line without line feed, by writer. See `SegmentContent`. */
  readonly unfinished: ReadonlyMap<string, SegmentFault>;
  readonly position: ReadPosition;
}

/**
 * Reads all segments of a log in pieces and merges their events by sequence number. A missing folder is an empty log.
 * - An unreadable segment becomes a fault. But if the reading starts at a position, throws `SegmentChanged`.
 * - Throws `SegmentChanged` for a segment that became shorter or was replaced.
 * - Throws Node's system errors when the folder cannot be read.
 */
export class LogMerge {
  readonly #from: ReadPosition | null;
  /** The segments that could be opened, by writer. */
  readonly #cursors = new Map<string, SegmentCursor>();
  readonly #unreadable = new Map<string, SegmentFault>();
  /** The segments that may have more events. */
  #active: SegmentCursor[] = [];
  /** The segment of the next event, and of all further events up to the stamp `#bound`. */
  #current: SegmentCursor | null = null;
  #bound: Stamp | null = null;
  #pieceBytes = LEAST_BYTES;
  /** Number of bytes of the events that were returned by `take`. */
  taken = 0;

  /** Opens all segments of a folder. Starts at the position `from`; null: at the beginning. */
  static async open(folder: string, from: ReadPosition | null): Promise<LogMerge> {
    return LogMerge.of(folder, await segmentWriters(folder), from);
  }

  /** Like `open`, but reads only the segments of the writers `found`. */
  static async of(folder: string, found: readonly string[], from: ReadPosition | null): Promise<LogMerge> {
    if (![...(from?.keys() ?? [])].every((writer) => found.includes(writer))) {
      throw new SegmentChanged('A segment no longer exists.');
    }
    const merge = new LogMerge(from);
    await Promise.all(found.map((writer) => merge.#open(folder, writer)));
    merge.#active = [...merge.#cursors.values()];
    const unread = merge.#active.filter(({ isDry }) => isDry).length;
    merge.#pieceBytes = Math.max(LEAST_BYTES, Math.floor(MOST_BYTES / Math.max(1, unread)));
    return merge;
  }

  private constructor(from: ReadPosition | null) {
    this.#from = from;
  }

  /** The number of bytes to read in total. */
  get length(): number {
    return [...this.#cursors.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0;
  }

  /** Loads the next piece of each segment that has no loaded event. Returns false at the end of the log. */
  async fill(): Promise<boolean> {
    const dry = this.#active.filter(({ isDry }) => isDry);
    await Promise.all(dry.map((cursor) => this.#orUnreadable(cursor.writer, () => cursor.load(this.#pieceBytes))));
    this.#pieceBytes = Math.min(MOST_BYTES, this.#pieceBytes * GROWTH);
    this.#active = this.#active.filter(({ writer, head, isDry }) => this.#cursors.has(writer) && (head !== null || isDry));
    return this.#active.length > 0;
  }

  /** Returns and removes the next event. Null when `fill` must be called first, or at the end. */
  take(): ChatEvent | null {
    const head = this.#current?.head ?? null;
    if (this.#current === null || head === null || (this.#bound !== null && compareStamps(head, this.#bound) > 0)) {
      return this.#pick() ? this.take() : null;
    }
    const { offset } = this.#current;
    this.#current.take();
    this.taken += this.#current.offset - offset;
    return head;
  }

  /** Returns the position after the last taken event, by writer. Omits segments without a taken event. */
  position(): ReadonlyMap<string, SegmentMark> {
    const marks = [...this.#cursors.values()].map((cursor) => [cursor.writer, cursor.mark()] as const);
    return new Map(marks.filter(([, { end }]) => end.offset > 0));
  }

  /** Returns the faults before `position`, by writer. */
  faults(): ReadonlyMap<string, readonly SegmentFault[]> {
    return new Map([...this.#cursors.values()].map(({ writer, faults }) => [writer, faults]));
  }

  /** Whether the last taken line has no line feed. `position` is then before that line. */
  get tookUnended(): boolean {
    return [...this.#cursors.values()].some((cursor) => cursor.tookUnended);
  }

  /** Returns the faults and positions of the whole log. Call this after the last event. */
  rest(): LogRest {
    const faults = new Map<string, readonly SegmentFault[]>();
    const unfinished = new Map<string, SegmentFault>();
    const position = new Map<string, SegmentMark | null>();
    for (const cursor of this.#cursors.values()) {
      const rest = cursor.rest();
      faults.set(cursor.writer, [...cursor.faults, ...rest.faults]);
      position.set(cursor.writer, rest.mark);
      if (rest.unfinished !== null) {
        unfinished.set(cursor.writer, rest.unfinished);
      }
    }
    for (const [writer, fault] of this.#unreadable) {
      faults.set(writer, [fault]);
      position.set(writer, null);
    }
    return { faults, unfinished, position };
  }

  async #open(folder: string, writer: string): Promise<void> {
    await this.#orUnreadable(writer, async () => {
      const from = this.#from?.get(writer) ?? UNREAD;
      this.#cursors.set(writer, await SegmentCursor.open({ path: join(folder, segmentName(writer)), writer, from }));
    });
  }

  async #orUnreadable(writer: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (thrown) {
      if (systemCode(thrown) === null) {
        throw thrown;
      }
      if (this.#from !== null) {
        throw new SegmentChanged('A segment cannot be read any more.', { cause: thrown });
      }
      this.#cursors.delete(writer);
      const reason = plainReason(thrown);
      this.#unreadable.set(writer, { segment: segmentName(writer), line: null, kind: 'unreadable', reason });
    }
  }

  /** Selects the segment of the next event. Returns false at the end, or when a segment must be loaded first. */
  #pick(): boolean {
    this.#current = null;
    this.#bound = null;
    for (const cursor of this.#active) {
      const { head } = cursor;
      if (head === null && cursor.isDry) {
        this.#current = null;
        return false;
      }
      const best = this.#current?.head ?? null;
      if (head !== null && (best === null || compareStamps(head, best) < 0)) {
        this.#bound = best;
        this.#current = cursor;
      } else if (head !== null && (this.#bound === null || compareStamps(head, this.#bound) < 0)) {
        this.#bound = head;
      }
    }
    return this.#current !== null;
  }
}

async function segmentWriters(folder: string): Promise<readonly string[]> {
  return (await orIfMissing(readdir(folder), [])).map(segmentWriter).filter((writer) => writer !== null);
}
