import { crc32 } from 'node:zlib';
import { LOG_VERSION } from '../../engine/chat/event.js';
import { FOLD_VERSION } from '../../engine/chat/snapshot.js';

/*
 * A record of the derived index is one line of JSON:
 *
 *   {"by":"1.1","value":...,"sum":"0a1b2c3d"}
 *
 * `by` names the versions of the fold and of the log that it was made by, `sum` is the CRC-32 of the bytes from the
 * `{` up to and without `,"sum":"`, as in a log line. What does not fit counts as not there: all of it can be made anew.
 */

const MADE_BY = `${String(FOLD_VERSION)}.${String(LOG_VERSION)}`;
const HEAD = `{"by":${JSON.stringify(MADE_BY)},"value":`;
const SUM_PATTERN = /^,"sum":"([0-9a-f]{8})"\}$/;
/** Bytes from `,"sum":"` to the closing brace. */
const SUM_LENGTH = 18;

/** The record of a value, without line feed. */
export function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(HEAD + JSON.stringify(value));
  return Buffer.concat([body, Buffer.from(`,"sum":"${checksum(body)}"}`)]);
}

/** The value of a record; null for a damaged one and one of another version. */
export function decodeRecord(bytes: Buffer): unknown {
  const end = bytes.length - SUM_LENGTH;
  if (end < HEAD.length || bytes.toString('latin1', 0, HEAD.length) !== HEAD) {
    return null;
  }
  const sum = SUM_PATTERN.exec(bytes.toString('latin1', end))?.[1];
  return sum === checksum(bytes.subarray(0, end)) ? JSON.parse(bytes.toString('utf8', HEAD.length, end)) : null;
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
