import type { FolderListing } from '../../context/files/workspaceFiles.js';
import type { ListLimits } from '../../context/files/folderListing.js';
import { LineMatcher } from './lineMatcher.js';
import type { ToolCallOptions } from '../../../engine/ports.js';

/** Maximum time in ms for which a tool reads the workspace. In 20 seconds, a disk returns more than a model needs. */
const LONGEST_MS = 20_000;

export const LONGEST_SECONDS = LONGEST_MS / 1_000;

/** Runs work that reads the workspace. Null after the time limit. Rejects when the call is stopped. */
export async function inTime<T>({ signal }: Pick<ToolCallOptions, 'signal'>, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const timeOut = AbortSignal.timeout(LONGEST_MS);
  try {
    return await work(AbortSignal.any([signal, timeOut]));
  } catch (thrown) {
    if (timeOut.aborted && !signal.aborted) {
      return null;
    }
    throw thrown;
  }
}

export interface FileLister {
  listFolder(path: string, limits: ListLimits): Promise<FolderListing>;
}

/** Maximum number of files per call. In a larger repository, the model can name a folder. */
const MOST_FILES = 20_000;

export type FoundPaths =
  | {
      readonly ok: true;
      readonly paths: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Returns the text files of a folder that match a glob pattern. Null matches all files. Rejects on abort. */
export async function pathsIn(files: FileLister, folder: string, pattern: string | null, signal: AbortSignal): Promise<FoundPaths> {
  const glob = pattern === null ? null : await globOf(pattern);
  if (pattern !== null && glob === null) {
    return { ok: false, reason: `This glob pattern cannot be read: ${pattern}` };
  }
  const listing = await files.listFolder(folder, { most: MOST_FILES, signal });
  if (!listing.ok) {
    return listing;
  }
  const { next, notes } = listing;
  const paths = glob === null ? listing.files : await matching(listing.files, glob, signal);
  const rest = `There are more than ${String(MOST_FILES)} files. Those from ${next ?? ''} on were not looked at: name a folder.`;
  return { ok: true, paths, notes: next === null ? notes : [...notes, rest] };
}

async function globOf(pattern: string): Promise<RegExp | null> {
  const { globExpression } = await import('./glob.js');
  return globExpression(pattern);
}

async function matching(paths: readonly string[], glob: RegExp, signal: AbortSignal): Promise<readonly string[]> {
  const matcher = new LineMatcher(glob);
  try {
    // Replaces line feeds in file names, which would look like the end of a line.
    const lines = paths.map((path) => path.replaceAll('\n', ' ')).join('\n');
    const found = await matcher.in(lines, paths.length, signal);
    return found.map(({ line }) => paths[line - 1] ?? '');
  } finally {
    await matcher.end();
  }
}
