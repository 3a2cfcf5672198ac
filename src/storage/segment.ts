import type { ChatEvent } from '../engine/chat/event.js';
import { segmentName } from './layout.js';
import { decodeLine } from './line.js';
import type { LineFault } from './line.js';

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

export const SEGMENT_START: SegmentEnd = { offset: 0, lines: 0, guard: Buffer.alloc(0), unended: null };

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

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Enough for the checksum of a line, its closing brace and its line feed. */
const GUARD_BYTES = 24;

/** Reads the bytes of a whole segment. A faulty line costs that line only. */
export function readSegment(bytes: Buffer, writer: string): SegmentContent {
  return readSegmentFrom(bytes, writer, SEGMENT_START);
}

/** Reads what stands in a segment behind `from`. */
export function readSegmentFrom(bytes: Buffer, writer: string, from: SegmentEnd): SegmentContent {
  const segment = segmentName(writer);
  const events: ChatEvent[] = [];
  const faults: SegmentFault[] = [];
  let unfinished: SegmentFault | null = null;
  let unended: string | null = null;
  let { lines } = from;
  let start = from.offset === 0 ? markLength(bytes) : 0;
  if (start > 0) {
    faults.push({ segment, line: 1, kind: 'bom', reason: 'another program put a byte order mark in front of it' });
  }
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const isEnded = lineFeed !== -1;
    const decoded = decodeLine(bytes.subarray(start, isEnded ? lineFeed : bytes.length), writer);
    const fault = decoded.ok ? null : { segment, line: lines + 1, kind: decoded.fault, reason: decoded.reason };
    events.push(...(decoded.ok ? [decoded.event] : []));
    if (!isEnded) {
      unfinished = fault;
      unended = decoded.ok ? decoded.event.id : null;
      break;
    }
    faults.push(...(fault === null ? [] : [fault]));
    lines += 1;
    start = lineFeed + 1;
  }
  const fresh = events.filter(({ id }) => id !== from.unended);
  const guard = Buffer.concat([from.guard, bytes.subarray(0, start).subarray(-GUARD_BYTES)]).subarray(-GUARD_BYTES);
  const end = { offset: from.offset + start, lines, guard, unended };
  return { events: fresh, faults, unfinished, end };
}

function markLength(bytes: Buffer): number {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

/**
 * Why nothing may be added to a chat with these faults; null when they do not forbid it. Going on from a part of
 * a history that a newer Loupe has steered, or that could not be read whole, would be wrong silently.
 */
export function readOnlyReason(faults: readonly SegmentFault[]): string | null {
  if (faults.some(({ kind }) => kind === 'newer' || kind === 'unknownType')) {
    return 'This chat was continued in a newer version of Loupe. It can be read here, but not continued.';
  }
  const unreadable = faults.find(({ kind }) => kind === 'unreadable');
  return unreadable === undefined
    ? null
    : `A part of this chat cannot be read: ${unreadable.reason}. It can be read here, but not continued.`;
}
