import { stat } from 'node:fs/promises';
import { withFile } from './regularFile.js';
import { readSegmentFrom, SEGMENT_START, type SegmentContent, type SegmentEnd } from './segment.js';

/** How far a segment was read, and what the file was like then, so that one that rests is not opened again. */
export interface SegmentMark {
  readonly end: SegmentEnd;
  /** In bytes; -1 when nobody looked. */
  readonly size: number;
  /** Epoch milliseconds; -1 when nobody looked. */
  readonly mtimeMs: number;
}

export const UNREAD: SegmentMark = { end: SEGMENT_START, size: -1, mtimeMs: -1 };

export interface SegmentGrowth extends Pick<SegmentContent, 'events' | 'faults'> {
  readonly mark: SegmentMark;
}

/**
 * Reads what a segment has got since it was read up to `mark`, and nothing else of it. `changed`: it has not just
 * grown, but was cut or replaced, and has to be read whole. Throws Node's system errors.
 */
export async function readSegmentGrowth(
  path: string,
  writer: string,
  { end, ...seen }: SegmentMark,
): Promise<SegmentGrowth | 'changed' | 'same'> {
  // Taken before the bytes are read: what is appended in between is looked for again the next time.
  const { size, mtimeMs } = await stat(path);
  if (size === seen.size && mtimeMs === seen.mtimeMs) {
    return 'same';
  }
  const bytes = await readFrom(path, end.offset - end.guard.length);
  if (!bytes.subarray(0, end.guard.length).equals(end.guard)) {
    return 'changed';
  }
  const content = readSegmentFrom(bytes.subarray(end.guard.length), writer, end);
  return { events: content.events, faults: content.faults, mark: { end: content.end, size, mtimeMs } };
}

/** All bytes from `position` to where the file ends now: its writer may append meanwhile. */
function readFrom(path: string, position: number): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(position, Math.max(0, file.size - position)));
}
