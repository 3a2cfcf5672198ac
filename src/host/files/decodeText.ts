import type { FileRead } from '../../engine/context/fileReader.js';
import { refused } from './refusal.js';

/**
 * The text of a file's bytes. Nothing is invented or dropped: bytes that are no UTF-8 are refused instead of
 * becoming U+FFFD, and a byte order mark stays as U+FEFF. A NUL byte marks a binary file.
 */
export function decodeText(path: string, bytes: Buffer): FileRead {
  if (bytes.includes(0)) {
    return refused(path, { code: 'binary' });
  }
  try {
    // ignoreBOM: true keeps the mark in the text.
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ok: true, content, bytes: bytes.length };
  } catch (error) {
    if (error instanceof TypeError) {
      return refused(path, { code: 'notUtf8' });
    }
    throw error;
  }
}
