import { crc32 } from 'node:zlib';

/*
 * What a line of the log and a record of the derived index end with: the member `sum`, the CRC-32 of the bytes before
 * it as 8 lower-case hexadecimal digits, and the closing brace.
 */

/** Bytes of `sumOf`. */
export const SUM_LENGTH = ',"sum":"0a1b2c3d"}'.length;

const SUM_PATTERN = /^,"sum":"[0-9a-f]{8}"\}$/;

/** What comes behind `body`, an object without its closing brace. */
export function sumOf(body: Uint8Array): string {
  return `,"sum":"${crc32(body).toString(16).padStart(8, '0')}"}`;
}

/** Whether what ends `bytes` is their checksum: `damaged` when it is another one, `missing` when it is none. */
export function checkSum(bytes: Buffer): 'right' | 'damaged' | 'missing' {
  const end = Math.max(0, bytes.length - SUM_LENGTH);
  const found = bytes.toString('latin1', end);
  if (found === sumOf(bytes.subarray(0, end))) {
    return 'right';
  }
  return SUM_PATTERN.test(found) ? 'damaged' : 'missing';
}
