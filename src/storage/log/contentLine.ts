import { createHash } from 'node:crypto';
import { isObject, parseJson } from '../../engine/json.js';
import { isBlobName } from '../blobs.js';

/*
 * A blob in a file of exported lines:
 *
 *   {"type":"content","sha256":"...","base64":"..."}
 *
 * The line needs no checksum, because the blob's name is its SHA-256.
 */

/** A blob from an exported file. `isWhole`: the SHA-256 of the bytes is the name. */
interface ContentLine {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

const BEGINNING = Buffer.from('{"type":"content",');

/** Returns the line of a blob, with line feed. */
export function encodeContentLine(name: string, bytes: Uint8Array): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 'content', sha256: name, base64: Buffer.from(bytes).toString('base64') })}\n`);
}

/** Returns the blob of a line without line feed, or null for any other line. */
export function decodeContentLine(line: Buffer): ContentLine | null {
  if (!line.subarray(0, BEGINNING.length).equals(BEGINNING)) {
    return null;
  }
  const members = parseJson(line.toString('utf8'));
  const { sha256, base64 } = isObject(members) ? members : {};
  if (typeof sha256 !== 'string' || typeof base64 !== 'string' || !isBlobName(sha256)) {
    return null;
  }
  const bytes = Buffer.from(base64, 'base64');
  return { name: sha256, bytes, isWhole: createHash('sha256').update(bytes).digest('hex') === sha256 };
}
