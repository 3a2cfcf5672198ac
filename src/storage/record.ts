import { LOG_VERSION } from '../engine/chat/stamp.js';
import { FOLD_VERSION } from '../engine/chat/snapshot.js';
import { readWhole } from './regularFile.js';
import { replaceText } from './replaceFile.js';
import { systemCode } from './failure.js';
import { checkSum, sumOf, SUM_LENGTH } from './checksum.js';

/*
 * Files that are derived from a log hold one record, which is one line of JSON:
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

/** The value of the record in a file. Null without a file, and where `decodeRecord` gives null: the log holds it all, too. */
export async function readRecord(path: string): Promise<unknown> {
  try {
    return decodeRecord(await readWhole(path));
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
