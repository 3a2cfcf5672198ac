import type { ChatEvent } from '../../engine/chat/event.js';
import { segmentName } from '../files/layout.js';
import { type DecodedLine, type LineFault, recordsOf } from './line.js';

/**
 * A fault of a segment, for the damage badge of the chat. `bom`: another program put a byte order mark at the start of
 * the file; the line after the mark can still be read. `unreadable`: the whole file could not be read.
 */
export interface SegmentFault {
  readonly segment: string;
  /** The line number, counted from 1; null when the fault concerns the whole file. */
  readonly line: number | null;
  readonly kind: LineFault | 'bom' | 'unreadable';
  /** The reason in plain words, without a full stop. Shown after a text such as "line 3: ". */
  readonly reason: string;
}

/** The position up to which a segment was read: the end of the last line with a line feed. */
export interface SegmentEnd {
  /** The offset in bytes, at which the next line begins. */
  readonly offset: number;
  /** Number of lines before `offset`. */
  readonly lines: number;
  /** The last bytes before `offset`, which include a checksum. If they are different later, the file was replaced. */
  readonly guard: Buffer;
  /** The id of an event that was read from a last line without line feed, or null. */
  readonly unended: string | null;
}

const SEGMENT_START: SegmentEnd = { offset: 0, lines: 0, guard: Buffer.alloc(0), unended: null };

/** How far a segment was read, with the file's size and time. If both stay the same, Loupe does not read the file. */
export interface SegmentMark {
  readonly end: SegmentEnd;
  /** Size of the file in bytes; -1 when unknown. */
  readonly size: number;
  /** Modification time of the file in epoch milliseconds; -1 when unknown. */
  readonly mtimeMs: number;
}

export const UNREAD: SegmentMark = { end: SEGMENT_START, size: -1, mtimeMs: -1 };

export interface SegmentContent {
  readonly events: readonly ChatEvent[];
  readonly faults: readonly SegmentFault[];
  /** The fault of a last line without line feed, or null. It is no fault while the line's writer is still writing. */
  readonly unfinished: SegmentFault | null;
  readonly end: SegmentEnd;
}

export const LINE_FEED = 0x0a;
const BOM_REASON = 'another program added a byte order mark';
const REST_REASON = 'it contains bytes that Loupe did not write, or a part of an event; the events after them were read';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The number of bytes in a guard: enough for a line's checksum, closing brace and line feed. */
const GUARD_BYTES = 24;

/** Reads the bytes of a whole segment. A damaged line does not affect the other lines. */
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

/** A line of a segment, or an event in a damaged line: its event and its faults. */
export interface SegmentLine {
  /** Null when the line has no usable event. The last fault then contains the reason. */
  readonly event: ChatEvent | null;
  readonly faults: readonly SegmentFault[];
  /** False for a last line without line feed. */
  readonly isEnded: boolean;
  /** Offset of the end of the line and its line feed, or of the event, in bytes from the start of the file. */
  readonly offset: number;
  /** The number of lines before `offset`. */
  readonly lines: number;
}

/** Returns the lines. A damaged line with several whole records counts as a line for each of them. */
export function* segmentLines(bytes: Buffer, writer: string, from: SegmentEnd): Generator<SegmentLine, void, void> {
  const segment = segmentName(writer);
  let { lines } = from;
  for (let start = 0; start < bytes.length; ) {
    const mark = from.offset === 0 && start === 0 ? markLength(bytes) : 0;
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const lineEnd = lineFeed === -1 ? bytes.length : lineFeed;
    const number = lines + 1;
    const faults: SegmentFault[] = mark === 0 ? [] : [{ segment, line: number, kind: 'bom', reason: BOM_REASON }];
    for (const { decoded, isDamaged, end } of recordsOf(bytes.subarray(start + mark, lineEnd), writer)) {
      const isLast = start + mark + end === lineEnd;
      const isEnded = !isLast || lineFeed !== -1;
      const event = decoded.ok ? decoded.event : null;
      faults.push(...faultsOf(decoded, isDamaged).map((fault) => ({ segment, line: number, ...fault })));
      lines = isLast ? number : lines;
      const offset = from.offset + start + mark + end + (isLast && isEnded ? 1 : 0);
      yield { event, faults: faults.splice(0), isEnded, offset, lines };
    }
    start = lineEnd + 1;
  }
}

function faultsOf(decoded: DecodedLine, isDamaged: boolean): readonly Pick<SegmentFault, 'kind' | 'reason'>[] {
  if (!decoded.ok) {
    return [{ kind: decoded.fault, reason: decoded.reason }];
  }
  return isDamaged ? [{ kind: 'corrupt', reason: REST_REASON }] : [];
}

/** Returns the guard bytes before `offset`. `bytes` begin at `from`, where the earlier reading ended. */
export function guardBefore(bytes: Buffer, from: SegmentEnd, offset: number): Buffer {
  const known = bytes.subarray(0, offset - from.offset).subarray(-GUARD_BYTES);
  return Buffer.concat([from.guard, known]).subarray(-GUARD_BYTES);
}

export function markLength(bytes: Buffer): number {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

/**
 * Returns why a chat with these faults is read-only, or null. Events of a newer or unreleased version of Loupe, or of
 * an unreadable segment, are missing. So the chat would continue from a wrong state.
 */
export function readOnlyReason(faults: readonly SegmentFault[]): string | null {
  if (faults.some(({ kind }) => kind === 'newer' || kind === 'unknownType')) {
    return 'This chat needs a newer version of Loupe. You can read it. Update Loupe to continue it.';
  }
  if (faults.some(({ kind }) => kind === 'older')) {
    return 'This chat was made by an unreleased version of Loupe. You can read it, but not continue it. Its files are unchanged.';
  }
  const unreadable = faults.find(({ kind }) => kind === 'unreadable');
  return unreadable === undefined
    ? null
    : `A part of this chat cannot be read: ${unreadable.reason}. You can read the rest, but not continue it.`;
}
