import { LoupeError } from '../errors.js';
import type { FileProblem } from '../record/fileProblem.js';
import type { ContextItemBase } from '../record/item.js';
import { isWebAddress, normalizePath } from './paths.js';

/** The result of reading a file: its text and size, or the problem. `reason` is a text for the user. */
export type FileRead =
  | { readonly ok: true; readonly content: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: FileProblem; readonly reason: string };

/** Reads files of the workspace by path, relative to its root. Never rejects. */
export interface FileReader {
  read(path: string): Promise<FileRead>;
}

/** The files and web pages in a conversation: content by normalized path, or by address. */
export type FileContents = ReadonlyMap<string, string>;

/** Returns the item of a content by its name, a path or an address. */
export function itemOfContent(name: string): ContextItemBase & { readonly type: 'file' | 'page' } {
  return { type: isWebAddress(name) ? 'page' : 'file', name };
}

/** Adds or replaces a file or page in `context`. Returns the problem of a binary file or an invalid path, or null. */
export function addContent(context: Map<string, string>, path: string, content: string): FileProblem | null {
  let key: string;
  try {
    key = isWebAddress(path) ? path : normalizePath(path);
  } catch (thrown) {
    if (thrown instanceof LoupeError) {
      return { code: 'invalidPath', text: thrown.message };
    }
    throw thrown;
  }
  if (content.includes('\0')) {
    return { code: 'binary' };
  }
  context.set(key, content);
  return null;
}

/** Returns the text of bytes that are UTF-8 without NUL, with a byte order mark as U+FEFF. Null for other bytes. */
export function textOfBytes(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) {
    return null;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
