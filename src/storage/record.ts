import { LOG_VERSION } from '../engine/chat/stamp.js';
import { FOLD_VERSION } from '../engine/chat/snapshot.js';
import { checkSum, sumOf, SUM_LENGTH } from './checksum.js';

/*
 * What is derived from a log is kept in records. One is one line of JSON:
 *
 *   {"by":"1.1","value":...,"sum":"0a1b2c3d"}
 *
 * `by` names the versions of the fold and of the log that it was made by. What does not fit counts as not there: all of
 * it can be made anew.
 */

const MADE_BY = `${String(FOLD_VERSION)}.${String(LOG_VERSION)}`;
const HEAD = `{"by":${JSON.stringify(MADE_BY)},"value":`;

/** The record of a value, without line feed. */
export function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(HEAD + JSON.stringify(value));
  return Buffer.concat([body, Buffer.from(sumOf(body))]);
}

/** The value of a record; null for a damaged one and one of another version. */
export function decodeRecord(bytes: Buffer): unknown {
  const end = bytes.length - SUM_LENGTH;
  if (end < HEAD.length || bytes.toString('latin1', 0, HEAD.length) !== HEAD) {
    return null;
  }
  return checkSum(bytes) === 'right' ? JSON.parse(bytes.toString('utf8', HEAD.length, end)) : null;
}
