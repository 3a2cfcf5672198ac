/*
 * Chips have room for a file's name, but not for its path. Files with the same name get as many folders as tell them
 * apart.
 */

/** A path in two parts: one that may be hidden, and one that identifies it among the other paths. */
export interface SplitPath {
  /** Leading folders with their last slash; '' when nothing may be hidden. */
  readonly lead: string;
  readonly tail: string;
}

/** Splits each path before its shortest tail that no other path shares. */
export function splitPaths(paths: readonly string[]): SplitPath[] {
  const all = paths.map((path) => path.split('/'));
  return all.map((segments, index) => {
    let kept = 1;
    while (kept < segments.length && isShared(all, index, kept)) {
      kept += 1;
    }
    const cut = segments.length - kept;
    const lead = segments.slice(0, cut).join('/');
    return { lead: cut > 0 ? `${lead}/` : '', tail: segments.slice(cut).join('/') };
  });
}

/** A path as its folders and the rest, which begins with the slash before the file's name where there is one. */
export function splitName(path: string): { readonly folders: string; readonly name: string } {
  const cut = Math.max(0, path.lastIndexOf('/'));
  return { folders: path.slice(0, cut), name: path.slice(cut) };
}

function isShared(all: readonly (readonly string[])[], index: number, kept: number): boolean {
  const tail = all[index]?.slice(-kept).join('/');
  return all.some((other, at) => at !== index && other.slice(-kept).join('/') === tail);
}
