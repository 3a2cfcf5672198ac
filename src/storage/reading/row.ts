import { join } from 'node:path';
import { ledgerTotals } from '../../engine/chat/ledger.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import type { Opening } from '../../engine/chat/extent.js';
import { chatOpening } from '../../engine/chat/message/opening.js';
import { countMessages, type ChatState } from '../../engine/chat/state.js';
import type { SegmentFault } from '../log/segment.js';
import { readRecord, writeRecord } from '../files/record.js';

/** What lists and totals need of a chat without an open run. */
export interface ChatRow {
  readonly title: string | null;
  /** Null when the chat has no message. */
  readonly opening: Opening | null;
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** The same, with the requests that leave the chat where it is in the list. */
  readonly changedAt: number;
  /** Whether nothing was said in it, added to it or named. */
  readonly isUntouched: boolean;
  /** The ledger of all attempts. */
  readonly totals: UsageTotals;
  /** Null when nothing of its log is damaged. */
  readonly damage: ChatDamage | null;
}

/** How much of a chat's log is damaged. */
export interface ChatDamage {
  /** Number of lines; 0 when a whole file cannot be read, or when lines are missing. */
  readonly lines: number;
}

/** `faults` are those of the whole log. */
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

/** Lines of a newer Loupe are not damaged, and of what another program put before the first one nothing is lost. */
function damageOf(faults: readonly SegmentFault[], problems: readonly string[]): ChatDamage | null {
  const lost = faults.filter(({ kind }) => kind !== 'newer' && kind !== 'unknownType' && kind !== 'bom');
  const lines = new Set(lost.flatMap(({ segment, line }) => (line === null ? [] : [`${segment}:${String(line)}`])));
  return lost.length === 0 && problems.length === 0 ? null : { lines: lines.size };
}

/** A row with the fingerprint of the log it was made from. */
interface RowValue {
  readonly fingerprint: string;
  readonly row: ChatRow;
}

const FILE = 'row.json';

/** The row in the folder of a chat; null unless it was made from the log as it is now. */
export async function readRow(folder: string, fingerprint: () => Promise<string>): Promise<ChatRow | null> {
  // The checksum and the version vouch for the shape.
  const value = (await readRecord(join(folder, FILE))) as RowValue | null;
  return value !== null && value.fingerprint === (await fingerprint()) ? value.row : null;
}

/** Never makes the folder, so that a deleted chat does not come back. Throws Node's system errors. */
export function writeRow(folder: string, fingerprint: string, row: ChatRow): Promise<void> {
  return writeRecord(join(folder, FILE), { fingerprint, row } satisfies RowValue);
}
