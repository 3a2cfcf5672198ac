import type { FileProblem } from './fileProblem.js';

/** What reading a file gives: its text and its size in bytes, or why not, also in words for the user. */
export type FileRead =
  | { readonly ok: true; readonly content: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: FileProblem; readonly reason: string };

/** Reads files of the workspace by their path relative to its root. Never rejects. */
export interface FileReader {
  read(path: string): Promise<FileRead>;
}
