import { join } from 'node:path';
import type { ChatSnapshot } from '../engine/chat/snapshot.js';
import { conversationIn } from '../engine/chat/state.js';
import type { Stamp } from '../engine/chat/stamp.js';
import { readRecord, writeRecord } from './record.js';
import type { SegmentFault, SegmentMark } from './segment.js';

/** Bytes of log from one restore point to the next: some ten milliseconds of reading. */
export const RESTORE_STEP = 1_024 * 1_024;

/** A place in the log of a chat, and the state there: what follows can be folded on from it. */
export interface RestorePoint {
  readonly snapshot: ChatSnapshot;
  /** Up to where each segment is in the snapshot. */
  readonly position: ReadonlyMap<string, SegmentMark>;
  /** The greatest stamp in the snapshot: everything after it has a greater one. */
  readonly last: Stamp;
  /** All faults of the segments up to there. */
  readonly faults: readonly SegmentFault[];
}

/** As JSON. Each mark: writer, offset, lines, guard (base64), size, time of change. */
interface RestorePointValue extends Pick<RestorePoint, 'snapshot' | 'faults'> {
  readonly last: readonly [seq: number, writer: string];
  readonly marks: readonly (readonly [string, number, number, string, number, number])[];
}

const FILE = 'restore-point.json';

/** The restore point in the folder of a chat; null without one that is whole, of this version, and of this chat. */
export async function readRestorePoint(folder: string, chatId: string): Promise<RestorePoint | null> {
  // The checksum and the version vouch for the shape.
  const value = (await readRecord(join(folder, FILE))) as RestorePointValue | null;
  return value?.snapshot.slices.origin.chatId === chatId ? pointOf(value) : null;
}

/** Never makes the folder: what was removed is not to come back. Throws Node's system errors. */
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

/** How much of a log stands before a restore point, in bytes. */
export function bytesBefore({ position }: RestorePoint): number {
  return [...position.values()].reduce((sum, { end }) => sum + end.offset, 0);
}

/** The messages of people and models that a restore point holds; infinitely many when it holds all of them. */
export function messagesIn({ snapshot }: RestorePoint): number {
  return snapshot.earlier.messages === 0 ? Infinity : conversationIn(snapshot.slices.branch);
}
