import { join } from 'node:path';
import { systemCode } from '../failure.js';
import { readWhole } from '../regularFile.js';
import { replaceText } from '../replaceFile.js';
import type { ChatRow } from './opened.js';
import { makeFolder } from './placesFile.js';
import { decodeRecord, encodeRecord } from './record.js';

/** The row of a chat with the fingerprint of the log that it is of. */
interface RowValue {
  readonly fingerprint: string;
  readonly row: ChatRow;
}

const ROW_FILE = 'row.json';

/** The row that is kept in the folder of an index, when it is of the log as it is now; null otherwise. */
export async function readRow(folder: string, fingerprint: () => Promise<string>): Promise<ChatRow | null> {
  try {
    // The checksum and the version vouch for the shape.
    const value = decodeRecord(await readWhole(join(folder, ROW_FILE))) as RowValue | null;
    return value !== null && value.fingerprint === (await fingerprint()) ? value.row : null;
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    // There is none, or it cannot be read: the log tells it as well.
    return null;
  }
}

/** Throws Node's system errors. */
export async function writeRow(folder: string, fingerprint: string, row: ChatRow): Promise<void> {
  await makeFolder(folder);
  await replaceText(join(folder, ROW_FILE), encodeRecord({ fingerprint, row } satisfies RowValue).toString('utf8'));
}
