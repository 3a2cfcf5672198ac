import { join } from 'node:path';
import type { ChatSnapshot } from '../../engine/chat/snapshot.js';
import { conversationIn } from '../../engine/chat/state.js';
import type { Stamp } from '../../engine/chat/order/stamp.js';
import { readRecord, writeRecord } from '../files/record.js';
import type { SegmentFault, SegmentMark } from '../log/segment.js';

/** Bytes of log from one restore point to the next. To read this much takes about ten milliseconds. */
export const RESTORE_STEP = 1_024 * 1_024;

/** The state of a chat at a position in its log. A later reading can continue from this position. */
export interface RestorePoint {
  readonly snapshot: ChatSnapshot;
  /** How far the snapshot covers each segment, by writer. */
  readonly position: ReadonlyMap<string, SegmentMark>;
  /** The greatest stamp (sequence number and writer) in the snapshot. All later events have greater stamps. */
  readonly last: Stamp;
  /** All faults of the log before the restore point. */
  readonly faults: readonly SegmentFault[];
}

/** The restore point as JSON. Each mark: writer, offset, lines, guard (base64), size, modification time. */
interface RestorePointValue extends Pick<RestorePoint, 'snapshot' | 'faults'> {
  readonly last: readonly [seq: number, writer: string];
  readonly marks: readonly (readonly [string, number, number, string, number, number])[];
}

const FILE = 'restore-point.json';

/** Returns the restore point in a chat's folder. Null when it is missing, damaged, or of another version or chat. */
export async function readRestorePoint(folder: string, chatId: string): Promise<RestorePoint | null> {
  // The checksum and the version guarantee the shape.
  const value = (await readRecord(join(folder, FILE))) as RestorePointValue | null;
  return value?.snapshot.slices.origin.chatId === chatId ? pointOf(value) : null;
}

/** Writes a restore point. Does not create the folder, so that a deleted chat stays deleted. Throws system errors. */
export function writeRestorePoint(folder: string, { snapshot, position, last, faults }: RestorePoint): Promise<void> {
  const marks = [...position].map(
    ([writer, { end, size, mtimeMs }]) => [writer, end.offset, end.lines, end.guard.toString('base64'), size, mtimeMs] as const,
  );
  const value: RestorePointValue = { last: [last.seq, last.writer], marks, faults, snapshot };
  return writeRecord(join(folder, FILE), value);
}

function pointOf({ last: [seq, writer], marks, faults, snapshot }: RestorePointValue): RestorePoint {
  const position = marks.map(([name, offset, lines, guard, size, mtimeMs]) => {
    const end = { offset, lines, guard: Buffer.from(guard, 'base64'), unended: null };
    return [name, { end, size, mtimeMs }] as const;
  });
  return { snapshot, position: new Map(position), last: { seq, writer }, faults };
}

export function bytesBefore({ position }: RestorePoint): number {
  return [...position.values()].reduce((sum, { end }) => sum + end.offset, 0);
}

/** Returns the number of user and model messages in a restore point; `Infinity` for a whole conversation. */
export function messagesIn({ snapshot }: RestorePoint): number {
  return snapshot.earlier.messages === 0 ? Infinity : conversationIn(snapshot.slices.branch);
}
