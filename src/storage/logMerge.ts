import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { compareStamps, type Stamp } from '../engine/chat/stamp.js';
import { plainReason, systemCode, whereThere } from './failure.js';
import { segmentName, segmentWriter } from './layout.js';
import { UNREAD, type SegmentFault, type SegmentMark } from './segment.js';
import { SegmentChanged, SegmentCursor } from './segmentCursor.js';

/** How far each segment was read, by writer; null for one that could not be read. */
export type ReadPosition = ReadonlyMap<string, SegmentMark | null>;

/** Read of a segment at least: several lines. A chat may have hundreds of segments, most of them long over. */
const LEAST_BYTES = 16 * 1_024;

/**
 * Read of all segments at first, and of one at most: parsing it takes some milliseconds, and the garbage collector as
 * many again. Others wait for both.
 */
const MOST_BYTES = 256 * 1_024;

/** From piece to piece, so that there are few pieces of whatever size the segments are. */
const GROWTH = 4;

/** What a part of a log holds beside its events. */
export interface LogRest {
  /** By writer. */
  readonly faults: ReadonlyMap<string, readonly SegmentFault[]>;
  /** Those of last lines that are not ended, by writer; see `SegmentContent`. */
  readonly unfinished: ReadonlyMap<string, SegmentFault>;
  readonly position: ReadPosition;
}

/**
 * Reads a log piece by piece, its segments side by side, and gives their events by stamp. Throws `SegmentChanged` when
 * they are not those of the position it begins at, and Node's system errors when the folder cannot be read; one that is
 * not there has no segments. A segment that cannot be read is a fault when the whole log is read, and `SegmentChanged`
 * otherwise.
 */
export class LogMerge {
  readonly #from: ReadPosition | null;
  /** All that could be opened. */
  readonly #cursors = new Map<string, SegmentCursor>();
  readonly #unreadable = new Map<string, SegmentFault>();
  /** Those that may have events yet. */
  #active: SegmentCursor[] = [];
  /** The one whose events come next, as long as they come before `#bound`. */
  #current: SegmentCursor | null = null;
  #bound: Stamp | null = null;
  #pieceBytes = LEAST_BYTES;
  /** By how much the events that were taken lie behind where the reading began, in bytes. */
  taken = 0;

  /** Begins behind `from`; at the beginning for null. */
  static async open(folder: string, from: ReadPosition | null): Promise<LogMerge> {
    return LogMerge.of(folder, await segmentWriters(folder), from);
  }

  /** The same for some of its writers, each of which has a segment. */
  static async of(folder: string, found: readonly string[], from: ReadPosition | null): Promise<LogMerge> {
    if (![...(from?.keys() ?? [])].every((writer) => found.includes(writer))) {
      throw new SegmentChanged('A segment is gone.');
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

  /** How much there is to be read, in bytes. */
  get length(): number {
    return [...this.#cursors.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether there are segments whose events are missing. */
  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0;
  }

  /** Reads on where that is needed before the next event can be told. Resolves to whether there is one. */
  async fill(): Promise<boolean> {
    const dry = this.#active.filter(({ isDry }) => isDry);
    await Promise.all(dry.map((cursor) => this.#orUnreadable(cursor.writer, () => cursor.load(this.#pieceBytes))));
    this.#pieceBytes = Math.min(MOST_BYTES, this.#pieceBytes * GROWTH);
    this.#active = this.#active.filter(({ writer, head, isDry }) => this.#cursors.has(writer) && (head !== null || isDry));
    return this.#active.length > 0;
  }

  /** Takes the next event; null when `fill` is to be called first. */
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

  /** Where the events that were taken end. Segments of which none was taken are not in it. */
  position(): ReadonlyMap<string, SegmentMark> {
    const marks = [...this.#cursors.values()].map((cursor) => [cursor.writer, cursor.mark()] as const);
    return new Map(marks.filter(([, { end }]) => end.offset > 0));
  }

  /** The faults before `position`, by writer. */
  faults(): ReadonlyMap<string, readonly SegmentFault[]> {
    return new Map([...this.#cursors.values()].map(({ writer, faults }) => [writer, faults]));
  }

  /** Whether an event was taken that `position` is before, because its line is not ended. */
  get tookUnended(): boolean {
    return [...this.#cursors.values()].some((cursor) => cursor.tookUnended);
  }

  /** Once all events were taken. */
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

  /** Finds the segment whose event comes next; false when a segment has to be read on for that, or all are at an end. */
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

/** The writers of a chat that have a segment; none where its folder is not there. */
async function segmentWriters(folder: string): Promise<readonly string[]> {
  return (await whereThere(readdir(folder), [])).map(segmentWriter).filter((writer) => writer !== null);
}
