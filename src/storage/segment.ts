import type { ChatEvent } from '../engine/chat/event.js';
import { segmentName } from './layout.js';
import { decodeLine, type LineFault } from './line.js';

/**
 * What is wrong in a segment, for the badge of the chat. `bom`: another program put a byte order mark in front
 * of the file; the line behind it is not lost. `unreadable`: the whole file could not be read.
 */
export interface SegmentFault {
  /** File name of the segment. */
  readonly segment: string;
  /** From 1; null when the fault is the whole file's. */
  readonly line: number | null;
  readonly kind: LineFault | 'bom' | 'unreadable';
  /** Goes on from "line 3: ", in plain words, without a full stop. */
  readonly reason: string;
}

/** How far a segment has been read: up to the last line that is ended. */
export interface SegmentEnd {
  /** In bytes; the next line begins here. */
  readonly offset: number;
  /** How many lines that are. */
  readonly lines: number;
  /** The last bytes before `offset`, with the checksum of their line: they tell a file that grew from another one. */
  readonly guard: Buffer;
  /** Id of the event on a line that only lacks its line feed, and was read; null without one. */
  readonly unended: string | null;
}

const SEGMENT_START: SegmentEnd = { offset: 0, lines: 0, guard: Buffer.alloc(0), unended: null };

/** How far a segment was read, and what the file was like then, so that one that rests is not opened again. */
export interface SegmentMark {
  readonly end: SegmentEnd;
  /** In bytes; -1 when nobody looked. */
  readonly size: number;
  /** Epoch milliseconds; -1 when nobody looked. */
  readonly mtimeMs: number;
}

export const UNREAD: SegmentMark = { end: SEGMENT_START, size: -1, mtimeMs: -1 };

export interface SegmentContent {
  /** In the order of the file. */
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  /**
   * The fault of a last line that has no line feed, which is no fault at all while its writer is just writing
   * it; null when the last line is ended or whole.
   */
  readonly unfinished: SegmentFault | null;
  readonly end: SegmentEnd;
}

export const LINE_FEED = 0x0a;
const BOM_REASON = 'another program put a byte order mark in front of it';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Enough for the checksum of a line, its closing brace and its line feed. */
const GUARD_BYTES = 24;

/** Reads the bytes of a whole segment. A faulty line costs that line only. */
export function readSegment(bytes: Buffer, writer: string): SegmentContent {
  const events: ChatEvent[] = [];
  const faults: SegmentFault[] = [];
  let unfinished: SegmentFault | null = null;
  let unended: string | null = null;
  let { offset, lines } = SEGMENT_START;
  for (const line of segmentLines(bytes, writer, SEGMENT_START)) {
    if (line.event !== null) {
      events.push(line.event);
    }
    if (!line.isEnded) {
      unfinished = line.event === null ? (line.faults.at(-1) ?? null) : null;
      unended = line.event?.id ?? null;
      break;
    }
    ({ offset, lines } = line);
    faults.push(...line.faults);
  }
  return { events, faults, unfinished, end: { offset, lines, guard: guardBefore(bytes, SEGMENT_START, offset), unended } };
}

/** A line of a segment: what it says, and what is wrong with it. */
export interface SegmentLine {
  /** Null when the line gives none: then the last fault says why. */
  readonly event: ChatEvent | null;
  readonly faults: readonly SegmentFault[];
  /** False for a last line without line feed. */
  readonly isEnded: boolean;
  /** Where it ends, its line feed included, in bytes from the beginning of the file. */
  readonly offset: number;
  /** How many lines end there. */
  readonly lines: number;
}

/** The lines that stand in a segment behind `from`. */
export function* segmentLines(bytes: Buffer, writer: string, from: SegmentEnd): Generator<SegmentLine, void, void> {
  const segment = segmentName(writer);
  let lines = from.lines;
  for (let start = 0; start < bytes.length; ) {
    const mark = from.offset === 0 && start === 0 ? markLength(bytes) : 0;
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const decoded = decodeLine(bytes.subarray(start + mark, lineFeed === -1 ? bytes.length : lineFeed), writer);
    lines += 1;
    start = lineFeed === -1 ? bytes.length : lineFeed + 1;
    const faults: SegmentFault[] = mark === 0 ? [] : [{ segment, line: lines, kind: 'bom', reason: BOM_REASON }];
    if (!decoded.ok) {
      faults.push({ segment, line: lines, kind: decoded.fault, reason: decoded.reason });
    }
    const event = decoded.ok ? decoded.event : null;
    yield { event, faults, isEnded: lineFeed !== -1, offset: from.offset + start, lines };
  }
}

/** The guard at `offset`, of bytes that stand behind `from`. */
export function guardBefore(bytes: Buffer, from: SegmentEnd, offset: number): Buffer {
  const known = bytes.subarray(0, offset - from.offset).subarray(-GUARD_BYTES);
  return Buffer.concat([from.guard, known]).subarray(-GUARD_BYTES);
}

export function markLength(bytes: Buffer): number {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

/**
 * Why nothing may be added to a chat with these faults; null when they do not forbid it. Going on from a part of
 * a history that a newer Loupe has steered, or that could not be read whole, would be wrong silently.
 */
export function readOnlyReason(faults: readonly SegmentFault[]): string | null {
  if (faults.some(({ kind }) => kind === 'newer' || kind === 'unknownType')) {
    return 'This chat was continued in a newer version of Loupe. It can be read here, but not continued: update Loupe for that.';
  }
  if (faults.some(({ kind }) => kind === 'older')) {
    return 'This chat was begun in an early version of Loupe that was not released. Its files are left as they are; it cannot be continued.';
  }
  const unreadable = faults.find(({ kind }) => kind === 'unreadable');
  return unreadable === undefined
    ? null
    : `A part of this chat cannot be read: ${unreadable.reason}. It can be read here, but not continued.`;
}
