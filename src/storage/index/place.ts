import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareStamps } from '../../engine/chat/stamp.js';
import { messagesAt, type ChatSnapshot } from '../../engine/chat/snapshot.js';
import { systemCode } from '../failure.js';
import { segmentName } from '../layout.js';
import { readRange } from '../regularFile.js';
import type { SegmentFault } from '../segment.js';
import type { SegmentMark } from '../segmentGrowth.js';
import type { Place } from './opened.js';
import { decodeRecord, encodeRecord } from './record.js';

/** A place as JSON. Each mark: writer, offset, lines, guard (base64), size, time of change. */
interface PlaceValue {
  readonly last: readonly [number, string];
  readonly marks: readonly (readonly [string, number, number, string, number, number])[];
  readonly faults: readonly SegmentFault[];
  readonly snapshot: ChatSnapshot;
  readonly isEnough: boolean;
}

/** The record of a place whose segments could all be read. */
export function encodePlace({ last, position, faults, snapshot, isEnough }: Place): Buffer {
  const marks = [...position].flatMap(([writer, mark]) => (mark === null ? [] : [markValue(writer, mark)]));
  return encodeRecord({ last: [last.seq, last.writer], marks, faults, snapshot, isEnough } satisfies PlaceValue);
}

/** Null for what is no such record, or one of another version. */
export function decodePlace(bytes: Buffer): Place | null {
  // The checksum and the version vouch for the shape.
  const value = decodeRecord(bytes) as PlaceValue | null;
  if (value === null) {
    return null;
  }
  const { last, marks, faults, snapshot, isEnough } = value;
  const position = new Map(
    marks.map(([writer, offset, lines, guard, size, mtimeMs]) => {
      const end = { offset, lines, guard: Buffer.from(guard, 'base64'), unended: null };
      return [writer, { end, size, mtimeMs }] as const;
    }),
  );
  return { snapshot, position, last: { seq: last[0], writer: last[1] }, faults, isEnough };
}

function markValue(writer: string, { end, size, mtimeMs }: SegmentMark): PlaceValue['marks'][number] {
  return [writer, end.offset, end.lines, end.guard.toString('base64'), size, mtimeMs];
}

/** Whether all that is before `place` is before `other`, and not the other way round. */
export function isBefore(place: Place, other: Place): boolean {
  return (
    compareStamps(place.last, other.last) < 0 &&
    [...place.position].every(([writer, mark]) => offsetOf(mark) <= offsetOf(other.position.get(writer)))
  );
}

/** How many messages a fold that begins at a place has at a later one. */
export function messagesBehind({ snapshot }: Place, later: Place): number {
  return messagesAt(later.snapshot) - snapshot.earlier.messages;
}

/** Whether a fold that begins at an earlier place has what a later one carries. */
export function reachesCarried({ snapshot }: Place, later: Place): boolean {
  return snapshot.earlier.items <= later.snapshot.earlier.items;
}

/** How many messages are missing at a place that a fold has which begins at an earlier one. */
export function messagesBetween({ snapshot }: Place, later: Place): number {
  return later.snapshot.earlier.messages - snapshot.earlier.messages;
}

/** Whether the segments are those of a place, as far as a look at the bytes before it tells. Throws Node's system errors. */
export async function fits(folder: string, { position }: Place): Promise<boolean> {
  const fitting = await Promise.all([...position].map(([writer, mark]) => markFits(join(folder, segmentName(writer)), mark)));
  return fitting.every((each) => each);
}

async function markFits(path: string, mark: SegmentMark | null): Promise<boolean> {
  if (mark === null) {
    return false;
  }
  try {
    const { guard, offset } = mark.end;
    const { size, mtimeMs } = await stat(path);
    if (size === mark.size && mtimeMs === mark.mtimeMs) {
      return true;
    }
    return (await readRange(path, offset - guard.length, guard.length)).equals(guard);
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    // One that is gone or cannot be read does not hold what it held.
    return false;
  }
}

function offsetOf(mark: SegmentMark | null | undefined): number {
  return mark?.end.offset ?? 0;
}
