/* Short forms of paths for chips. Files with the same name show as many folders as needed to differ. */

/** A path in two parts: folders that may be hidden, and a rest that identifies it among the other paths. */
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

/** Splits a path into its folders and its name, which keeps its leading slash. */
export function splitName(path: string): { readonly folders: string; readonly name: string } {
  const cut = Math.max(0, path.lastIndexOf('/'));
  return { folders: path.slice(0, cut), name: path.slice(cut) };
}

function isShared(all: readonly (readonly string[])[], index: number, kept: number): boolean {
  const tail = all[index]?.slice(-kept).join('/');
  return all.some((other, at) => at !== index && other.slice(-kept).join('/') === tail);
}
