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

export interface SegmentContent {
  /** In the order of the file. */
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  /**
   * The fault of a last line that has no line feed, which is no fault at all while its writer is just writing
   * it; null when the last line is ended or whole.
   */
  readonly unfinished: SegmentFault | null;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the bytes of a segment. A faulty line costs that line only. */
export function readSegment(bytes: Buffer, writer: string): SegmentContent {
  const segment = segmentName(writer);
  const events: ChatEvent[] = [];
  const faults: SegmentFault[] = [];
  let unfinished: SegmentFault | null = null;
  let start = 0;
  if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    start = BYTE_ORDER_MARK.length;
    faults.push({ segment, line: 1, kind: 'bom', reason: 'another program put a byte order mark in front of it' });
  }
  for (let line = 1; start < bytes.length; line += 1) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    const decoded = decodeLine(bytes.subarray(start, end), writer);
    if (decoded.ok) {
      events.push(decoded.event);
    } else {
      const fault = { segment, line, kind: decoded.fault, reason: decoded.reason };
      if (lineFeed === -1) {
        unfinished = fault;
      } else {
        faults.push(fault);
      }
    }
    start = end + 1;
  }
  return { events, faults, unfinished };
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
