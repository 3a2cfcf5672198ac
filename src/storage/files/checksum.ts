import { crc32 } from 'node:zlib';

/*
 * The end of each log line and of each record in a derived file: the member `sum` and the closing brace. `sum` is the
 * CRC-32 of all bytes before `,"sum"`, as 8 lower-case hexadecimal digits.
 */

export const SUM_LENGTH = ',"sum":"0a1b2c3d"}'.length;

const SUM_PATTERN = /^,"sum":"[0-9a-f]{8}"\}$/;

/** Returns the end of an object in JSON: the member `sum` and `}`. `body`: all earlier bytes of the object. */
export function sumOf(body: Uint8Array): string {
  return `,"sum":"${crc32(body).toString(16).padStart(8, '0')}"}`;
}

/** Checks `bytes` against the checksum at their end. `missing`: `bytes` have no checksum. */
export function checkSum(bytes: Buffer): 'right' | 'damaged' | 'missing' {
  const end = Math.max(0, bytes.length - SUM_LENGTH);
  const found = bytes.toString('latin1', end);
  if (found === sumOf(bytes.subarray(0, end))) {
    return 'right';
  }
  return SUM_PATTERN.test(found) ? 'damaged' : 'missing';
}
