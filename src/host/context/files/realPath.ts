import { isAscii } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import { errorCode, refused, systemRefusal, type Refusal } from './refusal.js';
import { isInside } from './roots.js';

export interface RealPath {
  readonly ok: true;
  readonly diskPath: string;
  readonly stats: BigIntStats;
}

/**
 * Resolves all links in the absolute path `place`. Refuses a result outside all `folders`. Opens no file. Refusals name
 * the file as `path`. For a missing file, checks the deepest existing folder. So a path that leads out of the workspace
 * gets the same refusal, whether or not its file exists.
 */
export async function realPath(place: string, path: string, folders: readonly string[]): Promise<RealPath | Refusal> {
  // Resolves the workspace folders too, because their paths can contain links. Skips folders that cannot be read.
  const resolved = await Promise.allSettled(folders.map((folder) => realpath(folder)));
  const realFolders = resolved.flatMap((folder) => (folder.status === 'fulfilled' ? [folder.value] : []));
  if (realFolders.length === 0) {
    return refused(path, { code: 'missing' });
  }
  const named = await placeOnDisk(place);
  try {
    const real = await realpath(named);
    if (!isInAny(realFolders, real)) {
      return leadsOut(path);
    }
    return { ok: true, diskPath: real, stats: await lstat(real, { bigint: true }) };
  } catch (error) {
    const refusal = systemRefusal(path, error);
    return refusal.problem.code === 'missing' && (await parentLeadsOut(named, realFolders)) ? leadsOut(path) : refusal;
  }
}

/**
 * Returns an absolute path with names as the disk has them. A disk can have a name in another Unicode form than the one
 * that a user or a model writes: macOS stores names in NFD. Missing names stay unchanged.
 */
export async function placeOnDisk(place: string): Promise<string> {
  if (isAscii(Buffer.from(place)) || (await isThere(place))) {
    return place;
  }
  const { root } = parse(place);
  let found = root;
  for (const name of place.slice(root.length).split(sep)) {
    const same = join(found, name);
    found = (await isThere(same)) ? same : join(found, (await namesIn(found)).find((other) => isSameName(other, name)) ?? name);
  }
  return found;
}

async function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  );
}

/** Returns the names in a folder. None for a folder that cannot be read: `realpath` then reports the reason. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Whether two names or paths have the same letters, in any Unicode form. */
export function isSameName(a: string, b: string): boolean {
  return a.normalize('NFC') === b.normalize('NFC');
}

function isInAny(folders: readonly string[], place: string): boolean {
  return folders.some((folder) => isInside(folder, place));
}

/** Whether the deepest existing folder above `place` is outside the workspace. False if unreadable. */
async function parentLeadsOut(place: string, folders: readonly string[]): Promise<boolean> {
  for (let parent = dirname(place); ; parent = dirname(parent)) {
    try {
      return !isInAny(folders, await realpath(parent));
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error)) || parent === dirname(parent)) {
        return false;
      }
    }
  }
}

/** Returns an absolute path with resolved links. The last parts of the path can be missing on the disk. */
export async function resolvedPlace(place: string): Promise<string> {
  const missing: string[] = [];
  for (let parent = place; ; parent = dirname(parent)) {
    try {
      return join(await realpath(parent), ...missing);
    } catch (error) {
      if (parent === dirname(parent)) {
        throw error;
      }
      missing.unshift(basename(parent));
    }
  }
}

function leadsOut(path: string): Refusal {
  return refused(path, { code: 'leadsOut' });
}

/** Refuses special files such as pipes and devices, because reading them could block or never end. */
export function notAFile(path: string, stats: BigIntStats): Refusal | null {
  if (stats.isFile()) {
    return null;
  }
  const kinds = [
    [stats.isDirectory(), 'folder'],
    [stats.isFIFO(), 'pipe'],
    [stats.isSocket(), 'socket'],
    [stats.isCharacterDevice() || stats.isBlockDevice(), 'device'],
    [stats.isSymbolicLink(), 'link'],
  ] as const;
  return refused(path, { code: 'notAFile', what: kinds.find(([applies]) => applies)?.[1] ?? 'unknown' });
}

/** Whether both are the same file, even at different paths. */
export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Returns a text that differs after each change of the file at an absolute path. Null for a missing file. */
export async function fileVersion(place: string): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(place, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    // Reading the file reports the reason.
    return null;
  }
}
