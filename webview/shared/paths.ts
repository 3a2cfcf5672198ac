/* Short forms of paths for chips. Paths with the same file name show as many folders as they need to differ. */

/** A path in two parts: folders that a view may hide, and an end that no other path of the list has. */
export interface SplitPath {
  /** The folders that a view may hide, with the last slash, or ''. */
  readonly lead: string;
  readonly tail: string;
}

/** Splits each path. The second part is the shortest end that differs from the ends of all other paths. */
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

/** Splits a path into folders and name. The name starts with the slash. */
export function splitName(path: string): { readonly folders: string; readonly name: string } {
  const cut = Math.max(0, path.lastIndexOf('/'));
  return { folders: path.slice(0, cut), name: path.slice(cut) };
}

function isShared(all: readonly (readonly string[])[], index: number, kept: number): boolean {
  const tail = all[index]?.slice(-kept).join('/');
  return all.some((other, at) => at !== index && other.slice(-kept).join('/') === tail);
}
