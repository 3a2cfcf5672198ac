/*
 * Chips have room for a file's name, not for its path. Two files of one name get as many folders as tell them apart.
 */

/** A path as the part that can be left out on screen and the part that identifies it among its neighbours. */
export interface SplitPath {
  /** Leading folders with their last slash; empty when nothing can be left out. */
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

function isShared(all: readonly (readonly string[])[], index: number, kept: number): boolean {
  const tail = all[index]?.slice(-kept).join('/');
  return all.some((other, at) => at !== index && other.slice(-kept).join('/') === tail);
}
