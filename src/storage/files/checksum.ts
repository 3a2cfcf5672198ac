import { crc32 } from 'node:zlib';

/*
 * The end of each log line and of each record in a derived file: the member `sum` and the closing brace. `sum` is the
 * CRC-32 of all bytes before `,"sum"`, as 8 lower-case hexadecimal digits.
 */

export const SUM_LENGTH = ',"sum":"0a1b2c3d"}'.length;

const SUM_START = ',"sum":"';

const SUM_PATTERN = /^,"sum":"[0-9a-f]{8}"\}$/;

/** Returns the end of an object in JSON: the member `sum` and `}`. `body`: all earlier bytes of the object. */
export function sumOf(body: Uint8Array): string {
  return sumText(crc32(body));
}

function sumText(sum: number): string {
  return `${SUM_START}${sum.toString(16).padStart(8, '0')}"}`;
}

/** Returns the number of bytes up to the first checksum that is right for all bytes before it. 0 without one. */
export function recordLength(bytes: Buffer): number {
  let [sum, summed] = [0, 0];
  for (let at = bytes.indexOf(SUM_START); at !== -1; at = bytes.indexOf(SUM_START, at + 1)) {
    sum = crc32(bytes.subarray(summed, at), sum);
    summed = at;
    if (bytes.toString('latin1', at, at + SUM_LENGTH) === sumText(sum)) {
      return at + SUM_LENGTH;
    }
  }
  return 0;
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
