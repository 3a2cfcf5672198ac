import { join } from 'node:path';
import { ledgerTotals } from '../engine/accounting/ledger.js';
import type { UsageTotals } from '../engine/accounting/usage.js';
import { isUntouched } from '../engine/chat/chatMarkdown.js';
import type { Opening } from '../engine/chat/extent.js';
import { chatOpening } from '../engine/chat/opening.js';
import { countMessages, type ChatState } from '../engine/chat/state.js';
import { readRecord, writeRecord } from './record.js';

/** What lists and totals need of a chat without an open run. */
export interface ChatRow {
  readonly title: string | null;
  /** Null when the chat has no message. */
  readonly opening: Opening | null;
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Whether nothing was said in it, added to it or named. */
  readonly isUntouched: boolean;
  /** The ledger of all attempts. */
  readonly totals: UsageTotals;
}

export function rowOf(state: ChatState): ChatRow {
  const { title, updatedAt } = state;
  return {
    title,
    opening: chatOpening(state),
    messages: countMessages(state),
    updatedAt,
    isUntouched: isUntouched(state),
    totals: ledgerTotals(state),
  };
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
