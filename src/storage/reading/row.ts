import { join } from 'node:path';
import { ledgerTotals } from '../../engine/chat/ledger.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import type { Opening } from '../../engine/chat/extent.js';
import { chatOpening } from '../../engine/chat/message/opening.js';
import { countMessages, type ChatState } from '../../engine/chat/state.js';
import type { SegmentFault } from '../log/segment.js';
import { readRecord, writeRecord } from '../files/record.js';

/** The data of a chat without an open run, for lists and totals. */
export interface ChatRow {
  readonly title: string | null;
  /** The beginning of the first message; null when the chat has no message. */
  readonly opening: Opening | null;
  /** The number of user and model messages on the branch. */
  readonly messages: number;
  /** The time of the last change in epoch milliseconds. */
  readonly updatedAt: number;
  /** Like `updatedAt`, but includes text embeddings and token counts, which do not move the chat in the list. */
  readonly changedAt: number;
  /** Whether the chat has no message, no added item and no name. */
  readonly isUntouched: boolean;
  readonly totals: UsageTotals;
  /** The damage of the log; null when the log is undamaged. */
  readonly damage: ChatDamage | null;
}

export interface ChatDamage {
  /** The number of damaged lines. 0 if a whole file cannot be read, or if lines are missing. */
  readonly lines: number;
}

/** Derives the row of a chat. `faults` are the faults of the whole log. */
export function rowOf(state: ChatState, faults: readonly SegmentFault[]): ChatRow {
  const { title, updatedAt, latestSideRequest } = state;
  return {
    title,
    opening: chatOpening(state),
    messages: countMessages(state),
    updatedAt,
    changedAt: Math.max(updatedAt, latestSideRequest ?? 0),
    isUntouched: isUntouched(state),
    totals: ledgerTotals(state),
    damage: damageOf(faults, state.problems),
  };
}

/** Returns the damage, or null. Lines of a newer Loupe and a byte order mark are no damage. */
function damageOf(faults: readonly SegmentFault[], problems: readonly string[]): ChatDamage | null {
  const lost = faults.filter(({ kind }) => kind !== 'newer' && kind !== 'unknownType' && kind !== 'bom');
  const lines = new Set(lost.flatMap(({ segment, line }) => (line === null ? [] : [`${segment}:${String(line)}`])));
  return lost.length === 0 && problems.length === 0 ? null : { lines: lines.size };
}

interface RowValue {
  readonly fingerprint: string;
  readonly row: ChatRow;
}

const FILE = 'row.json';

/** Returns the stored row of a chat. Null if it is missing or does not match the current log. */
export async function readRow(folder: string, fingerprint: () => Promise<string>): Promise<ChatRow | null> {
  // The checksum and the version guarantee the shape.
  const value = (await readRecord(join(folder, FILE))) as RowValue | null;
  return value !== null && value.fingerprint === (await fingerprint()) ? value.row : null;
}

/** Writes the row. Does not create the folder, so that a deleted chat stays deleted. Throws Node's system errors. */
export function writeRow(folder: string, fingerprint: string, row: ChatRow): Promise<void> {
  return writeRecord(join(folder, FILE), { fingerprint, row } satisfies RowValue);
}
