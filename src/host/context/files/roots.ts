import { basename, isAbsolute, join, relative, sep } from 'node:path';

/** A workspace folder. Paths of its files start with `prefix`: '' for a single folder, otherwise `{name}/`. */
export interface Root {
  readonly folder: string;
  readonly prefix: string;
}

/**
 * Returns the folders with their prefixes: '' for a single folder, otherwise the name. Equal names get a number
 * (`app/`, `app-2/`).
 */
export function namedRoots(folders: readonly string[]): Root[] {
  if (folders.length === 1) {
    return folders.map((folder) => ({ folder, prefix: '' }));
  }
  const taken = new Set<string>();
  return folders.map((folder) => {
    const name = freeName(basename(folder), taken);
    taken.add(name);
    return { folder, prefix: `${name}/` };
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    free = `${name}-${String(number)}`;
  }
  return free;
}

/** Returns the absolute path of a normalized workspace path. Null for a path outside all workspace folders. */
export function locate(roots: readonly Root[], path: string): string | null {
  for (const { folder, prefix } of roots) {
    if (`${path}/` === prefix) {
      return folder;
    }
    if (path.startsWith(prefix)) {
      return join(folder, path.slice(prefix.length));
    }
  }
  return null;
}

/** Returns the workspace path of an absolute path. Null outside the workspace. The innermost folder decides. */
export function workspacePath(roots: readonly Root[], place: string): string | null {
  const paths = roots
    .filter(({ folder }) => isInside(folder, place))
    .sort((a, b) => b.folder.length - a.folder.length)
    .map(({ folder, prefix }) => prefix + relative(folder, place).split(sep).join('/'));
  return paths[0]?.replace(/\/$/, '') ?? null;
}

/** Whether `place` is `folder` or inside it. Compares only the paths, and follows no links. */
export function isInside(folder: string, place: string): boolean {
  const path = relative(folder, place);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
