import { LOG_VERSION } from '../../engine/chat/order/stamp.js';
import type { Pause } from '../../engine/ports.js';
import { FOLD_VERSION } from '../../engine/chat/snapshot.js';
import { readWhole } from './regularFile.js';
import { replaceText } from './replaceFile.js';
import { systemCode } from './failure.js';
import { checkSum, sumOf, SUM_LENGTH } from './checksum.js';

/*
 * Files that are derived from a log contain one or more records, each a line of JSON:
 *
 *   {"by":"1.1","value":...,"sum":"0a1b2c3d"}
 *
 * `by` has two versions: of the code that derives the value, and of the log format. A record of other versions is
 * treated as missing, because Loupe can derive the value again.
 */

const MADE_BY = `${String(FOLD_VERSION)}.${String(LOG_VERSION)}`;
const HEAD = `{"by":${JSON.stringify(MADE_BY)},"value":`;

function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(HEAD + JSON.stringify(value));
  return Buffer.concat([body, Buffer.from(sumOf(body))]);
}

/** Replaces a file with one record. Does not create the folder, so that a deleted chat stays deleted. */
export function writeRecord(path: string, value: unknown): Promise<void> {
  return replaceText(path, encodeRecord(value).toString('utf8'));
}

/** Writes several records, one per line. Pauses after each record, because one large record would block the thread. */
export async function writeRecords(path: string, values: Iterable<unknown>, pause: Pause): Promise<void> {
  const lines: string[] = [];
  for (const value of values) {
    lines.push(encodeRecord(value).toString('utf8'));
    await pause();
  }
  await replaceText(path, lines.join('\n'));
}

/** Returns the value of the record in a file. Null for a missing, damaged or outdated record. */
export async function readRecord(path: string): Promise<unknown> {
  const bytes = await bytesOf(path);
  return bytes === null ? null : decodeRecord(bytes);
}

/** Returns the values of all records in a file, with a pause after each. Null if the file or a record is unusable. */
export async function readRecords(path: string, pause: Pause): Promise<readonly unknown[] | null> {
  const values: unknown[] = [];
  for (let bytes = await bytesOf(path), from = 0; bytes !== null && from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const value = decodeRecord(bytes.subarray(from, end === -1 ? bytes.length : end));
    if (value === null) {
      return null;
    }
    values.push(value);
    from = end === -1 ? bytes.length : end + 1;
    await pause();
  }
  return values.length === 0 ? null : values;
}

const LINE_FEED = 0x0a;

/** Returns the bytes of a file, or null when the file cannot be read. */
async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readWhole(path);
  } catch (thrown) {
    if (systemCode(thrown) === null) {
      throw thrown;
    }
    return null;
  }
}

/** Returns the value of a record. Null for a damaged record, or a record of another version. */
export function decodeRecord(bytes: Buffer): unknown {
  const end = bytes.length - SUM_LENGTH;
  if (end < HEAD.length || bytes.toString('latin1', 0, HEAD.length) !== HEAD) {
    return null;
  }
  return checkSum(bytes) === 'right' ? JSON.parse(bytes.toString('utf8', HEAD.length, end)) : null;
}
