import { LOG_VERSION } from '../../engine/chat/order/stamp.js';
import type { Pause } from '../../engine/ports.js';
import { FOLD_VERSION } from '../../engine/chat/snapshot.js';
import { readWhole } from './regularFile.js';
import { replaceText } from './replaceFile.js';
import { systemCode } from './failure.js';
import { checkSum, sumOf, SUM_LENGTH } from './checksum.js';

/*
 * Files that are derived from a log hold one record, or several, each a line of JSON:
 *
 *   {"by":"1.1","value":...,"sum":"0a1b2c3d"}
 *
 * `by` names the versions of the fold and of the log that made it. A record that does not fit counts as missing: it
 * can always be derived again.
 */

const MADE_BY = `${String(FOLD_VERSION)}.${String(LOG_VERSION)}`;
const HEAD = `{"by":${JSON.stringify(MADE_BY)},"value":`;

/** The record of a value, without line feed. */
function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(HEAD + JSON.stringify(value));
  return Buffer.concat([body, Buffer.from(sumOf(body))]);
}

/**
 * Replaces the file of a record. Never makes the folder, so that a deleted chat does not come back. Throws Node's
 * system errors.
 */
export function writeRecord(path: string, value: unknown): Promise<void> {
  return replaceText(path, encodeRecord(value).toString('utf8'));
}

/** Like `writeRecord`, with a record on each line, and a pause after each: one large record would block the thread. */
export async function writeRecords(path: string, values: Iterable<unknown>, pause: Pause): Promise<void> {
  const lines: string[] = [];
  for (const value of values) {
    lines.push(encodeRecord(value).toString('utf8'));
    await pause();
  }
  await replaceText(path, lines.join('\n'));
}

/** The value of the record in a file. Null without a file, and where `decodeRecord` gives null: the log holds it all, too. */
export async function readRecord(path: string): Promise<unknown> {
  const bytes = await bytesOf(path);
  return bytes === null ? null : decodeRecord(bytes);
}

/** The values of the records in a file, with a pause after each. Null without a file, and where one of them is null. */
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

/** Null for a file that cannot be read. */
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

/** The value of a record; null for a damaged one, or one of another version. */
export function decodeRecord(bytes: Buffer): unknown {
  const end = bytes.length - SUM_LENGTH;
  if (end < HEAD.length || bytes.toString('latin1', 0, HEAD.length) !== HEAD) {
    return null;
  }
  return checkSum(bytes) === 'right' ? JSON.parse(bytes.toString('utf8', HEAD.length, end)) : null;
}
