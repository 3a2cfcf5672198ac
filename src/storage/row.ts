import { join } from 'node:path';
import { ledgerTotals } from '../engine/accounting/ledger.js';
import type { UsageTotals } from '../engine/accounting/usage.js';
import type { Opening } from '../engine/chat/extent.js';
import { chatOpening } from '../engine/chat/opening.js';
import { countMessages, type ChatState } from '../engine/chat/state.js';
import { systemCode } from './failure.js';
import { decodeRecord, encodeRecord } from './record.js';
import { readWhole } from './regularFile.js';
import { replaceText } from './replaceFile.js';

/** What lists and totals need of a chat that rests. */
export interface ChatRow {
  readonly title: string | null;
  /** Null when nobody has said anything. */
  readonly opening: Opening | null;
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** The ledger of all attempts. */
  readonly totals: UsageTotals;
}

export function rowOf(state: ChatState): ChatRow {
  const { title, updatedAt } = state;
  return { title, opening: chatOpening(state), messages: countMessages(state), updatedAt, totals: ledgerTotals(state) };
}

/** The row of a chat with the fingerprint of the log that it is of. */
interface RowValue {
  readonly fingerprint: string;
  readonly row: ChatRow;
}

const FILE = 'row.json';

/** The row that is kept in the folder of a chat, when it is of the log as it is now; null otherwise. */
export async function readRow(folder: string, fingerprint: () => Promise<string>): Promise<ChatRow | null> {
  try {
    // The checksum and the version vouch for the shape.
    const value = decodeRecord(await readWhole(join(folder, FILE))) as RowValue | null;
    return value !== null && value.fingerprint === (await fingerprint()) ? value.row : null;
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    // There is none, or it cannot be read: the log tells it as well.
    return null;
  }
}

/** Never makes the folder: what was removed is not to come back. Throws Node's system errors. */
export async function writeRow(folder: string, fingerprint: string, row: ChatRow): Promise<void> {
  await replaceText(join(folder, FILE), encodeRecord({ fingerprint, row } satisfies RowValue).toString('utf8'));
}
