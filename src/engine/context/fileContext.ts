import { LoupeError } from '../errors.js';
import type { FileProblem } from './fileProblem.js';
import { normalizePath } from './paths.js';

/** What reading a file gives: its text and its size in bytes, or why not, also in words for the user. */
export type FileRead =
  | { readonly ok: true; readonly content: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: FileProblem; readonly reason: string };

/** Reads files of the workspace by their path relative to its root. Never rejects. */
export interface FileReader {
  read(path: string): Promise<FileRead>;
}

/** The files in a conversation: content by normalized path. */
export type FileContext = ReadonlyMap<string, string>;

/**
 * Puts a file into `context`, in any spelling of its path; one that is there already gets the new content. Returns why
 * not, and null when it is in: binary content is refused, and so is a path that names no file of the workspace.
 */
export function addContent(context: Map<string, string>, path: string, content: string): FileProblem | null {
  let key: string;
  try {
    key = normalizePath(path);
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
