import { stat } from 'node:fs/promises';
import type { ChatEvent } from '../../engine/chat/event.js';
import { readRange } from '../files/regularFile.js';
import { guardBefore, LINE_FEED, segmentLines, type SegmentEnd, type SegmentFault, type SegmentLine, type SegmentMark } from './segment.js';

/** The error if a segment is not the file that was read earlier, or if it changes during the reading. */
export class SegmentChanged extends Error {
  override readonly name = 'SegmentChanged';
}

/** The part of a segment from a mark to the end of the file. */
export interface SegmentRange {
  readonly path: string;
  readonly writer: string;
  readonly from: SegmentMark;
}

/** The result of reading a segment, without its events. */
export interface SegmentRest {
  readonly faults: readonly SegmentFault[];
  /** The fault of a last line without line feed, or null. See `SegmentContent`. */
  readonly unfinished: SegmentFault | null;
  readonly mark: SegmentMark;
}

/** Returns the events of a segment one by one, read in pieces. Throws `SegmentChanged` and Node's system errors. */
export class SegmentCursor {
  readonly writer: string;
  readonly #range: SegmentRange;
  /** Size and time of the file when the reading began. */
  readonly #seen: Pick<SegmentMark, 'size' | 'mtimeMs'>;
  /** The position in the file at which the loaded piece begins. */
  #start: SegmentEnd;
  #bytes: Buffer = Buffer.alloc(0);
  /** The next piece, read in advance, or null. */
  #ahead: Promise<Buffer> | null = null;
  #lines: readonly SegmentLine[] = [];
  /** Index in `#lines` of the next event, `head`. After the last event: the number of lines. */
  #next = 0;
  #isAllLoaded: boolean;
  /** The line of the last event taken from the loaded piece. */
  #taken: SegmentLine | null = null;
  /** The end of the last line that was taken before the loaded piece. */
  #takenBefore: SegmentEnd;
  readonly #faults: SegmentFault[] = [];
  /** Faults of the lines between the last taken event and `head`. */
  #faultsBetween: SegmentFault[] = [];
  #unended: SegmentLine | null = null;

  static async open(range: SegmentRange): Promise<SegmentCursor> {
    const { size, mtimeMs } = await stat(range.path);
    if (range.from.end.offset > size) {
      throw new SegmentChanged('The segment is shorter than it was.');
    }
    return new SegmentCursor(range, { size, mtimeMs });
  }

  private constructor(range: SegmentRange, seen: Pick<SegmentMark, 'size' | 'mtimeMs'>) {
    const { size, mtimeMs, end } = range.from;
    this.writer = range.writer;
    this.#range = range;
    this.#seen = seen;
    this.#start = end;
    this.#takenBefore = end;
    // The file has not changed since the mark, so nothing needs to be read.
    this.#isAllLoaded = end.offset === seen.size && size === seen.size && mtimeMs === seen.mtimeMs;
  }

  /** The number of bytes to read in total. */
  get length(): number {
    return this.#seen.size - this.#range.from.end.offset;
  }

  /** The next event. Null at the end, or when the next piece must be loaded first (`isDry`). */
  get head(): ChatEvent | null {
    return this.#lines[this.#next]?.event ?? null;
  }

  get isDry(): boolean {
    return !this.#isAllLoaded && this.head === null;
  }

  /** The end of the last taken event, in bytes. If its line has no line feed: the start of the line. */
  get offset(): number {
    return this.#taken?.offset ?? this.#takenBefore.offset;
  }

  /** Whether the last taken line has no line feed. `mark` is then before that line. */
  get tookUnended(): boolean {
    return this.#unended !== null && this.#unended.event !== null && this.#next === this.#lines.length;
  }

  /** The faults of lines before `offset`. */
  get faults(): readonly SegmentFault[] {
    return this.#faults;
  }

  /** Returns the position up to which events were taken. */
  mark(): SegmentMark {
    const end = this.#takenEnd();
    if (end.offset === this.#range.from.end.offset) {
      return this.#range.from;
    }
    return end.offset === this.#seen.size ? { end, ...this.#seen } : { end, size: -1, mtimeMs: -1 };
  }

  take(): void {
    const line = this.#lines[this.#next];
    if (line?.isEnded === true) {
      this.#taken = line;
      this.#faults.push(...this.#faultsBetween, ...line.faults);
      this.#faultsBetween = [];
    }
    this.#next += 1;
    this.#skipToEvent();
  }

  /** Loads the next `length` bytes. Loads more if these bytes contain no whole line. */
  async load(length: number): Promise<void> {
    const start = this.#loadedEnd();
    const bytes = await (this.#ahead ?? this.#read(start, length));
    this.#ahead = null;
    const isLast = start.offset + bytes.length === this.#seen.size;
    const whole = isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
    if (whole.length === 0 && !isLast) {
      await this.load(length * 2);
      return;
    }
    this.#takenBefore = this.#takenEnd();
    this.#taken = null;
    this.#start = start;
    this.#bytes = whole;
    this.#lines = [...segmentLines(whole, this.writer, start)];
    this.#unended = this.#lines.at(-1)?.isEnded === false ? (this.#lines.at(-1) ?? null) : null;
    this.#next = 0;
    this.#isAllLoaded = isLast;
    this.#skipToEvent();
    if (!isLast) {
      this.#ahead = this.#read(this.#loadedEnd(), length);
      // This piece is read in advance. If that fails, the error is thrown only when the piece is needed.
      this.#ahead.catch(() => undefined);
    }
  }

  async #read({ offset, guard }: SegmentEnd, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.#seen.size - offset);
    const read = await readRange(this.#range.path, offset - guard.length, guard.length + wanted);
    const bytes = read.subarray(guard.length);
    if (bytes.length < wanted || !read.subarray(0, guard.length).equals(guard)) {
      throw new SegmentChanged('The segment is not the one that was read before.');
    }
    return bytes;
  }

  /** Returns the faults and the position of the whole segment. Call this after the last event. */
  rest(): SegmentRest {
    const unended = this.#unended;
    const unfinished = unended?.event === null ? (unended.faults.at(-1) ?? null) : null;
    const end = { ...this.#loadedEnd(), unended: unended?.event?.id ?? null };
    return { faults: this.#faultsBetween, unfinished, mark: { end, ...this.#seen } };
  }

  #skipToEvent(): void {
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const line = this.#lines[this.#next];
      if (line?.event !== null && line?.event.id !== this.#range.from.end.unended) {
        return;
      }
      if (line.isEnded) {
        this.#faultsBetween.push(...line.faults);
      }
    }
  }

  #takenEnd(): SegmentEnd {
    return this.#taken === null ? this.#takenBefore : this.#endOf(this.#taken);
  }

  /** Returns the end of the last line with a line feed in the loaded piece. */
  #loadedEnd(): SegmentEnd {
    const last = this.#lines.findLast(({ isEnded }) => isEnded);
    return last === undefined ? this.#start : this.#endOf(last);
  }

  #endOf({ offset, lines }: SegmentLine): SegmentEnd {
    return { offset, lines, guard: guardBefore(this.#bytes, this.#start, offset), unended: null };
  }
}
