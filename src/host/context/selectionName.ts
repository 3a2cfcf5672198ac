/** Returns the name of a selection: `src/a.ts:10-20`. Lines count from 1. */
export function selectionName(path: string, firstLine: number, lastLine: number): string {
  return `${path}:${String(firstLine)}-${String(lastLine)}`;
}

/** Ends the name of a file tree. No file has such a name by chance. */
const TREE = ' (file tree)';

/** The workspace folder in the name of its file tree. */
export const WORKSPACE_ITSELF = '.';

/** Returns the name of the file tree of a folder: `src (file tree)`. `folder` is '' for the only workspace folder. */
export function folderTreeName(folder: string): string {
  return `${folder === '' ? WORKSPACE_ITSELF : folder}${TREE}`;
}

/** Returns the folder of a file tree. Null for the name of a file or selection. */
export function treeFolder(name: string): string | null {
  return name.endsWith(TREE) ? name.slice(0, -TREE.length) : null;
}

export interface NamedFile {
  readonly path: string;
  /** The first and the last line of the selection, from 1. Null for a whole file. */
  readonly lines: readonly [number, number] | null;
}

export function parseSelectionName(name: string): NamedFile {
  const [, path, first, last] = /^(.+):(\d+)-(\d+)$/.exec(name) ?? [];
  return path === undefined ? { path: name, lines: null } : { path, lines: [Number(first), Number(last)] };
}
